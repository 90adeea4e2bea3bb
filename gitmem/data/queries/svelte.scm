; Components that stand as tags.
((start_tag (tag_name) @uses) (#match? @uses "^[A-Z]"))
((self_closing_tag (tag_name) @uses) (#match? @uses "^[A-Z]"))

; Names that are bound without more of an expression: `on:click={save}`, `{user.name}`, `{title}`.
((expression (raw_text_expr) @uses) (#match? @uses "^ *[$]?[A-Za-z_][A-Za-z0-9_$.]* *$"))
((attribute_name (raw_text_expr) @uses) (#match? @uses "^[$]?[A-Za-z_][A-Za-z0-9_$.]*$"))

; Ids.
((attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name)) @element (#eq? @_id "id"))

; Expressions, scripts and styles.
((raw_text_expr) @embed (#not-match? @embed "^[.]"))
(raw_text_each) @embed
(script_element (start_tag (tag_name) @embed.language) (raw_text) @embed)
((script_element
  (start_tag (attribute (attribute_name) @_lang (quoted_attribute_value (attribute_value) @embed.language)))
  (raw_text) @embed)
  (#eq? @_lang "lang"))
(style_element (start_tag (tag_name) @embed.language) (raw_text) @embed)
((style_element
  (start_tag (attribute (attribute_name) @_lang (quoted_attribute_value (attribute_value) @embed.language)))
  (raw_text) @embed)
  (#eq? @_lang "lang"))

(comment) @comment
