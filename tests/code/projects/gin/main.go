package main

import "github.com/gin-gonic/gin"

func list(c *gin.Context) {}

func main() {
	r := gin.Default()
	r.GET("/status", func(c *gin.Context) {})
	api := r.Group("/api")
	v1 := api.Group("/v1")
	v1.POST("/orders", check(), orders.Create)
	v1.GET("/orders", list)
	cache.Get("key")
}
