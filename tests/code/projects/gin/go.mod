module shop

require (
	github.com/gin-gonic/gin v1.10.0
)
