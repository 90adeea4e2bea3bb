package main

import "github.com/labstack/echo/v4"

func create(c echo.Context) error { return nil }

func main() {
	e := echo.New()
	g := e.Group("/orders")
	g.POST("/:id", create)
}
