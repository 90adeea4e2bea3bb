using Microsoft.AspNetCore.Mvc;

namespace Shop;

[ApiController]
[Route("api/[controller]")]
public class OrdersController : ControllerBase
{
    [HttpGet("{id}")]
    public IActionResult One(int id) => View("Orders/One");

    [HttpPost]
    public IActionResult Create() => Ok();
}
