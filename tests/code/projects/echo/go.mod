module shop

require github.com/labstack/echo/v4 v4.12.0
