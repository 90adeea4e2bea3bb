use axum::{routing::get, Router};

async fn list() {}
async fn create() {}

fn app() -> Router {
    let orders = Router::new()
        .route("/orders", get(list).post(create))
        .route("/orders/:id", get(orders::one));
    Router::new().nest("/api", orders)
}
