package shop;

import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/orders")
public class OrderController {
    @GetMapping
    public List<Order> list() { return List.of(); }

    @PostMapping("/{id}/pay")
    public void pay(@PathVariable long id) { }

    @RequestMapping(value = "/old", method = {RequestMethod.PUT, RequestMethod.POST})
    public void old() { }
}
