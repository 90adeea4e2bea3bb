var app = WebApplication.CreateBuilder(args).Build();
var api = app.MapGroup("/api");
api.MapGet("/status", Status.Show);
app.MapPost("/pay", () => "ok");
app.Run();
