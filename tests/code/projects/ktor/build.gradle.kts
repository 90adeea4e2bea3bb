dependencies {
    implementation("io.ktor:ktor-server-core:2.3.0")
}
