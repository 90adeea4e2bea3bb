; Types. An object is a class with one value; a base without arguments is an interface.
(class_declaration . "class" . (type_identifier) @name (class_body)? @body) @class
(class_declaration . (modifiers) . "class" . (type_identifier) @name (class_body)? @body) @class
(class_declaration "interface" . (type_identifier) @name (class_body)? @body) @interface
(class_declaration "enum" "class" . (type_identifier) @name (enum_class_body)? @body) @enum
(object_declaration (type_identifier) @name (class_body)? @body) @class
(companion_object (type_identifier) @name (class_body)? @body) @class
(class_declaration . "class" (delegation_specifier (constructor_invocation . (user_type) @extends))) @class
(class_declaration . (modifiers) . "class" (delegation_specifier (constructor_invocation . (user_type) @extends))) @class
(class_declaration . "class" (delegation_specifier . (user_type) @implements)) @class
(class_declaration . (modifiers) . "class" (delegation_specifier . (user_type) @implements)) @class
(class_declaration . "class" (delegation_specifier (explicit_delegation . (user_type) @implements))) @class
(class_declaration . (modifiers) . "class" (delegation_specifier (explicit_delegation . (user_type) @implements))) @class
(class_declaration "interface" (delegation_specifier . (user_type) @extends)) @interface
(class_declaration "enum" (delegation_specifier . (user_type) @implements)) @enum
(object_declaration (delegation_specifier (constructor_invocation . (user_type) @extends))) @class
(object_declaration (delegation_specifier . (user_type) @implements)) @class
(type_alias (type_identifier) @name) @type

; Functions; what extends a type belongs to it.
(function_declaration
  (simple_identifier) @name . (function_value_parameters) @parameters
  (function_body)? @body) @function
(function_declaration (function_value_parameters (parameter) @parameter)) @function
(function_declaration
  receiver: (receiver_type [(user_type) @owner (nullable_type (user_type) @owner)])
  (simple_identifier) @name) @function
(secondary_constructor "constructor" @name (function_value_parameters) @parameters (statements)? @body) @constructor
(secondary_constructor (function_value_parameters (parameter) @parameter)) @constructor

; Properties and entries.
(source_file (property_declaration !receiver (variable_declaration (simple_identifier) @name)) @constant)
(property_declaration receiver: (receiver_type (user_type) @owner) (variable_declaration (simple_identifier) @name)) @field
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @field)
(enum_class_body (property_declaration (variable_declaration (simple_identifier) @name)) @field)
(class_parameter (binding_pattern_kind) . (simple_identifier) @name) @field
(enum_entry (simple_identifier) @name) @constant

; Annotations of what is defined; those of parameters are none of it.
(class_declaration (modifiers (annotation) @decorator))
(object_declaration (modifiers (annotation) @decorator))
(function_declaration (modifiers (annotation) @decorator))
(property_declaration (modifiers (annotation) @decorator))
(secondary_constructor (modifiers (annotation) @decorator))

; Imports.
(import_header (identifier (simple_identifier) @name .) @module .) @import
(import_header (identifier (simple_identifier) @name .) @module . [(line_comment) (multiline_comment)]) @import
(import_header (identifier (simple_identifier) @name .) @module . (import_alias (type_identifier) @alias)) @import
(import_header (identifier) @module (wildcard_import) @everything) @import

; Calls and constructions: the name of a type begins with a capital.
((call_expression . (simple_identifier) @call.name (call_suffix (value_arguments)? @arguments)) @call
  (#not-match? @call.name "^[A-Z]"))
((call_expression . (simple_identifier) @call.name (call_suffix (value_arguments)? @arguments)) @new
  (#match? @call.name "^[A-Z]"))
((call_expression
  . (navigation_expression . (_) @receiver (navigation_suffix (simple_identifier) @call.name) .)
  (call_suffix (value_arguments)? @arguments)) @call
  (#not-match? @call.name "^[A-Z]"))
((call_expression
  . (navigation_expression . (_) @receiver (navigation_suffix (simple_identifier) @call.name) .)
  (call_suffix (value_arguments)? @arguments)) @new
  (#match? @call.name "^[A-Z]"))
(infix_expression . (_) @receiver . (simple_identifier) @call.name . (_)) @call
(callable_reference . (type_identifier) @receiver (simple_identifier) @call.name) @call

; What a name is.
(parameter . (simple_identifier) @name . (_) @type) @binding
(class_parameter (simple_identifier) @name . [(user_type) (nullable_type)] @type) @binding
(variable_declaration (simple_identifier) @name . [(user_type) (nullable_type)] @type) @binding
(property_declaration
  (variable_declaration . (simple_identifier) @name .)
  . (call_expression . [(simple_identifier) (navigation_expression)] @type)) @binding
(catch_block . (simple_identifier) @name . (user_type) @type) @binding

; What is thrown, caught, and named as a type.
(jump_expression "throw" (call_expression . (simple_identifier) @throw))
(jump_expression
  "throw"
  (call_expression . (navigation_expression (navigation_suffix (simple_identifier) @throw) .)))
(catch_block (user_type) @catch)
(user_type) @type.reference

[(line_comment) (multiline_comment)] @comment
