package shop

import io.ktor.server.routing.*

fun Application.module() {
    routing {
        route("/orders") {
            get("/{id}") { call.respond(one()) }
            post { create() }
        }
        get("/status") { call.respond("ok") }
    }
}
