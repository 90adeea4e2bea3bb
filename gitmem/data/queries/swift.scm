; Types. An actor is a class; what an extension holds belongs to its type.
(class_declaration declaration_kind: ["class" "actor"] name: (type_identifier) @name body: (_) @body) @class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name body: (_) @body) @struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @enum
(protocol_declaration name: (type_identifier) @name body: (_) @body) @interface
(class_declaration
  declaration_kind: ["class" "actor"]
  . name: (_) . (inheritance_specifier inherits_from: (user_type) @extends)) @class
(class_declaration
  declaration_kind: ["class" "actor"]
  name: (_) . (type_parameters) . (inheritance_specifier inherits_from: (user_type) @extends)) @class
(class_declaration
  declaration_kind: ["class" "actor"]
  (inheritance_specifier) (inheritance_specifier inherits_from: (user_type) @implements)) @class
(class_declaration declaration_kind: "struct" (inheritance_specifier inherits_from: (user_type) @implements)) @struct
(class_declaration declaration_kind: "enum" (inheritance_specifier inherits_from: (user_type) @implements)) @enum
(protocol_declaration (inheritance_specifier inherits_from: (user_type) @extends)) @interface
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @owner
  (inheritance_specifier inherits_from: (user_type) @implements)) @addition
(typealias_declaration name: (type_identifier) @name) @type
(associatedtype_declaration name: (type_identifier) @name) @type

; Functions and constructors.
(function_declaration "func" . name: _ @name body: (_) @body) @function
(function_declaration (parameter) @parameter) @function
(protocol_function_declaration "func" . name: _ @name) @function
(protocol_function_declaration (parameter) @parameter) @function
(init_declaration name: _ @name body: (_)? @body) @constructor
(init_declaration (parameter) @parameter) @constructor
(deinit_declaration "deinit" @name body: (_) @body) @function
(subscript_declaration "subscript" @name (computed_property)? @body) @function
(subscript_declaration (parameter) @parameter) @function
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @owner
  body: (class_body [
    (function_declaration "func" . name: _ @name) @function
    (subscript_declaration "subscript" @name) @function
  ]))
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @owner
  body: (class_body (init_declaration name: _ @name) @constructor))
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @owner
  body: (class_body (class_declaration declaration_kind: "struct" name: (type_identifier) @name) @struct))
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @owner
  body: (class_body (class_declaration declaration_kind: "enum" name: (type_identifier) @name) @enum))
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @owner
  body: (class_body (class_declaration declaration_kind: ["class" "actor"] name: (type_identifier) @name) @class))

; Properties, cases, values that are kept.
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field)
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @owner
  body: (class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field))
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @constant)
(enum_entry name: (simple_identifier) @name) @constant
(macro_declaration (simple_identifier) @name) @macro

; Attributes of what is defined.
(class_declaration (modifiers (attribute) @decorator))
(protocol_declaration (modifiers (attribute) @decorator))
(function_declaration (modifiers (attribute) @decorator))
(property_declaration (modifiers (attribute) @decorator))
(init_declaration (modifiers (attribute) @decorator))

; Imports: all that a module gives, or one name of it.
(import_declaration (identifier . (simple_identifier) .) @module @everything) @import
(import_declaration
  ["class" "struct" "enum" "protocol" "func" "var" "let" "typealias"]
  (identifier (simple_identifier) @name .) @module) @import

; Calls and constructions: the name of a type begins with a capital.
((call_expression . (simple_identifier) @call.name (call_suffix (value_arguments)? @arguments)) @call
  (#not-match? @call.name "^[A-Z]"))
((call_expression . (simple_identifier) @call.name (call_suffix (value_arguments)? @arguments)) @new
  (#match? @call.name "^[A-Z]"))
((call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @call.name))
  (call_suffix (value_arguments)? @arguments)) @call
  (#not-match? @call.name "^[A-Z]"))
((call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @call.name))
  (call_suffix (value_arguments)? @arguments)) @new
  (#match? @call.name "^[A-Z]"))
((call_expression . (prefix_expression operation: "." target: (simple_identifier) @call.name) (call_suffix)) @call)
(constructor_expression
  constructed_type: (user_type . (type_identifier) @call.name)
  (constructor_suffix (value_arguments)? @arguments)) @new

; What a name is.
(parameter name: (simple_identifier) @name [(user_type) (optional_type) (array_type)] @type) @binding
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  . (type_annotation [(user_type) (optional_type) (array_type)] @type)) @binding
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  . value: (call_expression . [(simple_identifier) (navigation_expression)] @type)) @binding
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  . value: (constructor_expression constructed_type: (user_type) @type)) @binding
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation [(user_type) (optional_type) (array_type)] @type)) @binding

; What is thrown, caught, and named as a type.
(control_transfer_statement (throw_keyword) [
  (simple_identifier) @throw
  (call_expression . (simple_identifier) @throw)
  (navigation_expression target: (simple_identifier) @throw)
  (call_expression . (navigation_expression target: (simple_identifier) @throw))
])
(catch_block error: (pattern name: (user_type) @catch))
(catch_block error: (pattern . (user_type) @catch))
(user_type) @type.reference

[(comment) (multiline_comment)] @comment
