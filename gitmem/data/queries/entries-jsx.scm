; Tags that routers are given: `<Route path="/orders" element={<Orders />} />`.
((jsx_self_closing_element name: (identifier) @call.name attribute: (jsx_attribute)) @entry @arguments
  (#eq? @call.name "Route"))
((jsx_opening_element name: (identifier) @call.name attribute: (jsx_attribute)) @entry @arguments
  (#eq? @call.name "Route"))
