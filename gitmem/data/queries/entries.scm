; Values that routers are given: `{ path: "/orders", component: Orders }`.
((object (pair key: (property_identifier) @call.name value: [(string) (template_string)])) @entry @arguments
  (#eq? @call.name "path"))
