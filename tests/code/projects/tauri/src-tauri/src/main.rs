#[tauri::command]
fn save(order: String) -> String {
    order
}
