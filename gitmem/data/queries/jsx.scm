; A component that stands as a tag.
((jsx_opening_element name: [(identifier) (member_expression)] @uses) (#match? @uses "^[A-Z]|[.]"))
((jsx_self_closing_element name: [(identifier) (member_expression)] @uses) (#match? @uses "^[A-Z]|[.]"))
