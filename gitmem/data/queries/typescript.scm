; What TypeScript adds.

; Classes.
([
  (class_declaration name: (type_identifier) @name body: (class_body) @body)
  (abstract_class_declaration name: (type_identifier) @name body: (class_body) @body)
] @class)
(export_statement
  declaration: [
    (class_declaration name: (type_identifier) @name)
    (abstract_class_declaration name: (type_identifier) @name)
  ]) @class
(variable_declarator name: (identifier) @name value: (class body: (class_body) @body)) @class
(export_statement "default" @name value: (class !name body: (class_body) @body)) @class
(export_statement value: (class name: (type_identifier) @name body: (class_body) @body)) @class
([
  (class_declaration (class_heritage (extends_clause value: [(identifier) (member_expression)] @extends)))
  (abstract_class_declaration (class_heritage (extends_clause value: [(identifier) (member_expression)] @extends)))
] @class)
([
  (class_declaration (class_heritage (extends_clause value: (call_expression
    arguments: (arguments [(identifier) (member_expression)] @extends)))))
  (abstract_class_declaration (class_heritage (extends_clause value: (call_expression
    arguments: (arguments [(identifier) (member_expression)] @extends)))))
] @class)
([
  (class_declaration (class_heritage (implements_clause (_) @implements)))
  (abstract_class_declaration (class_heritage (implements_clause (_) @implements)))
] @class)
(variable_declarator value: (class (class_heritage (extends_clause
  value: [(identifier) (member_expression)] @extends)))) @class
(variable_declarator value: (class (class_heritage (implements_clause (_) @implements)))) @class
(export_statement value: (class (class_heritage (extends_clause
  value: [(identifier) (member_expression)] @extends)))) @class

; Members of a class, with the signatures of overloads.
(public_field_definition
  name: (_) @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @function
(public_field_definition name: (_) @name) @field
(method_signature name: (_) @name parameters: (_) @parameters) @function
(abstract_method_signature name: (_) @name parameters: (_) @parameters) @function
(function_signature name: (identifier) @name parameters: (_) @parameters) @function
(export_statement declaration: (function_signature name: (identifier) @name)) @function
(class_declaration decorator: (decorator) @decorator)
(abstract_class_declaration decorator: (decorator) @decorator)
(export_statement decorator: (decorator) @decorator)
(class_body (decorator) @decorator)
(public_field_definition decorator: (decorator) @decorator)

; Interfaces, enums, types, namespaces.
(interface_declaration name: (type_identifier) @name body: (_) @body) @interface
(export_statement declaration: (interface_declaration name: (type_identifier) @name)) @interface
(interface_declaration (extends_type_clause type: (_) @extends)) @interface
(property_signature name: (_) @name) @field
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(export_statement declaration: (enum_declaration name: (identifier) @name)) @enum
(enum_body name: (_) @name @constant)
(enum_assignment name: (_) @name) @constant
(type_alias_declaration name: (type_identifier) @name) @type
(export_statement declaration: (type_alias_declaration name: (type_identifier) @name)) @type
(internal_module name: (_) @name body: (_) @body) @module
(export_statement declaration: (internal_module name: (_) @name)) @module
(module name: (_) @name body: (_) @body) @module
(ambient_declaration
  [
    (lexical_declaration (variable_declarator name: (identifier) @name) @constant)
    (variable_declaration (variable_declarator name: (identifier) @name) @constant)
  ])
(statement_block
  (export_statement
    declaration: [
      (lexical_declaration (variable_declarator name: (identifier) @name))
      (variable_declaration (variable_declarator name: (identifier) @name))
    ]) @constant)

(import_statement (import_require_clause (identifier) @namespace source: (string) @module)) @import

; What a name is written to be.
(required_parameter pattern: (identifier) @name type: (type_annotation (_) @type)) @binding
(optional_parameter pattern: (identifier) @name type: (type_annotation (_) @type)) @binding
(variable_declarator name: (identifier) @name type: (type_annotation (_) @type)) @binding
(variable_declarator name: (identifier) @name value: (as_expression (_) (_) @type)) @binding
(public_field_definition name: (_) @name type: (type_annotation (_) @type)) @binding
(public_field_definition
  name: (_) @name
  !type
  value: [
    (new_expression constructor: [(identifier) (member_expression)] @type)
    (call_expression function: [(identifier) (member_expression)] @type)
  ]) @binding
(property_signature name: (_) @name type: (type_annotation (_) @type)) @binding

; Types that are named.
(type_annotation [(type_identifier) (nested_type_identifier)] @type.reference)
(type_arguments [(type_identifier) (nested_type_identifier)] @type.reference)
(generic_type name: (_) @type.reference)
(union_type [(type_identifier) (nested_type_identifier)] @type.reference)
(intersection_type [(type_identifier) (nested_type_identifier)] @type.reference)
(array_type [(type_identifier) (nested_type_identifier)] @type.reference)
(as_expression [(type_identifier) (nested_type_identifier)] @type.reference)
(type_alias_declaration value: [(type_identifier) (nested_type_identifier)] @type.reference)
(type_query [(identifier) (member_expression)] @type.reference)

; What each of several is.
(for_in_statement left: (identifier) @name operator: "of" right: [(identifier) (member_expression)] @type) @binding
((call_expression
  function: (member_expression object: [(identifier) (member_expression)] @type property: (property_identifier) @_each)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (_ pattern: (identifier) @name))))) @binding
  (#any-of? @_each "map" "forEach" "filter" "some" "every" "find" "findIndex" "flatMap"))

; The grammar takes what is awaited for the name of a call that has types of its own.
(call_expression function: (await_expression (identifier) @call.name) arguments: (_) @arguments) @call
(call_expression
  function: (await_expression (member_expression object: (_) @receiver property: (_) @call.name))
  arguments: (_) @arguments) @call
(variable_declarator
  name: (identifier) @name
  value: (call_expression function: (await_expression [(identifier) (member_expression)] @type))) @binding
(call_expression
  function: (non_null_expression (member_expression object: (_) @receiver property: (_) @call.name))
  arguments: (_) @arguments) @call
