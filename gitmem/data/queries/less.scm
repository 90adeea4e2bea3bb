; What a rule is for: a selector that stands alone in its list. Refinements of it are no definitions.
(rule_set (selectors (class_selector . "." . (class_name)) @name) (block) @body) @style
(rule_set (selectors (id_selector) @name) (block) @body) @style
((declaration (property_name) @name) @style (#match? @name "^--"))
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @style

; Tokens that are used.
((call_expression (function_name) @_var (arguments . (plain_value) @uses)) (#eq? @_var "var"))

[(comment) (js_comment)] @comment
