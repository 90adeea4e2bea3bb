; What a rule is for: a selector that stands alone in its list. Refinements of it are no definitions.
(rule_set (selectors (class_selector . "." . (class_name)) @name) (block) @body) @style
(rule_set (selectors (id_selector) @name) (block) @body) @style
((declaration (property_name) @name) @style (#match? @name "^--"))
((at_rule (at_keyword) @_property (keyword_query) @name) @style (#eq? @_property "@property"))
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @style

; Tokens that are used.
((call_expression (function_name) @_var (arguments . (plain_value) @uses)) (#eq? @_var "var"))

; Style sheets.
(import_statement (string_value (string_content) @module)) @import
((import_statement (call_expression (function_name) @_url (arguments [(string_value) (plain_value)] @module))) @import
  (#eq? @_url "url"))

(comment) @comment
