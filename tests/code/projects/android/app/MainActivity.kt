package shop

import androidx.activity.ComponentActivity
import androidx.compose.runtime.Composable

class MainActivity : ComponentActivity()

@Composable
fun OrderList(items: List<String>) {
}
