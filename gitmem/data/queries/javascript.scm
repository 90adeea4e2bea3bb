; What JavaScript has in shapes of its own.
(class_declaration name: (identifier) @name body: (class_body) @body) @class
(export_statement declaration: (class_declaration name: (identifier) @name)) @class
(variable_declarator name: (identifier) @name value: (class body: (class_body) @body)) @class
(assignment_expression
  left: [(identifier) (member_expression)] @name
  right: (class body: (class_body) @body)) @class
(export_statement "default" @name value: (class !name body: (class_body) @body)) @class
(export_statement value: (class name: (identifier) @name body: (class_body) @body)) @class
(class_declaration (class_heritage [(identifier) (member_expression)] @extends)) @class
(class_declaration (class_heritage (call_expression
  arguments: (arguments [(identifier) (member_expression)] @extends)))) @class
(variable_declarator value: (class (class_heritage [(identifier) (member_expression)] @extends))) @class
(assignment_expression right: (class (class_heritage [(identifier) (member_expression)] @extends))) @class
(export_statement value: (class (class_heritage [(identifier) (member_expression)] @extends))) @class

(field_definition
  property: (_) @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @function
(field_definition property: (_) @name) @field
(field_definition
  property: (_) @name
  value: (new_expression constructor: [(identifier) (member_expression)] @type)) @binding
(class_declaration decorator: (decorator) @decorator)
(export_statement decorator: (decorator) @decorator)
(method_definition decorator: (decorator) @decorator)
(field_definition decorator: (decorator) @decorator)

; What each of several is.
(for_in_statement left: (identifier) @name operator: "of" right: [(identifier) (member_expression)] @type) @binding
((call_expression
  function: (member_expression object: [(identifier) (member_expression)] @type property: (property_identifier) @_each)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (identifier) @name)))) @binding
  (#any-of? @_each "map" "forEach" "filter" "some" "every" "find" "findIndex" "flatMap"))
