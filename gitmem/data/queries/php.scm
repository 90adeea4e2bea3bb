; Types.
(namespace_definition name: (namespace_name) @name @module)
(class_declaration name: (name) @name body: (_) @body) @class
(class_declaration (base_clause (_) @extends)) @class
(class_declaration (class_interface_clause (_) @implements)) @class
(class_declaration body: (declaration_list (use_declaration [(name) (qualified_name)] @implements))) @class
(interface_declaration name: (name) @name body: (_) @body) @interface
(interface_declaration (base_clause (_) @extends)) @interface
(trait_declaration name: (name) @name body: (_) @body) @trait
(trait_declaration body: (declaration_list (use_declaration [(name) (qualified_name)] @implements))) @trait
(enum_declaration name: (name) @name body: (_) @body) @enum
(enum_declaration (class_interface_clause (_) @implements)) @enum
(enum_declaration body: (enum_declaration_list (use_declaration [(name) (qualified_name)] @implements))) @enum

; Functions and members.
(function_definition name: (name) @name parameters: (_) @parameters body: (_) @body) @function
(method_declaration name: (name) @name parameters: (_) @parameters body: (_)? @body) @function
((method_declaration name: (name) @name parameters: (_) @parameters body: (_)? @body) @constructor
  (#eq? @name "__construct"))
(property_declaration (property_element name: (variable_name (name) @name))) @field
(property_promotion_parameter name: (variable_name (name) @name @field))
(const_declaration (const_element . (name) @name)) @constant
(enum_case name: (name) @name) @constant
((function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))) @constant
  (#eq? @_define "define"))
(assignment_expression
  left: (variable_name (name) @name)
  right: [
    (anonymous_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameters: (_) @parameters body: (_) @body)
  ]) @function
(attribute) @decorator

; Imports: of a name its namespace is the module.
(namespace_use_clause
  (qualified_name prefix: (namespace_name) @module (name) @name)
  alias: (name)? @alias) @import
(namespace_use_declaration (namespace_use_clause . (name) @module alias: (name)? @alias)) @import
(namespace_use_declaration (namespace_name) @prefix body: (namespace_use_group) @scope) @import
(namespace_use_group (namespace_use_clause . (name) @name alias: (name)? @alias)) @import
([
  (require_expression [(string) (encapsed_string)] @module)
  (require_once_expression [(string) (encapsed_string)] @module)
  (include_expression [(string) (encapsed_string)] @module)
  (include_once_expression [(string) (encapsed_string)] @module)
  (require_expression (binary_expression right: [(string) (encapsed_string)] @module))
  (require_once_expression (binary_expression right: [(string) (encapsed_string)] @module))
  (include_expression (binary_expression right: [(string) (encapsed_string)] @module))
  (include_once_expression (binary_expression right: [(string) (encapsed_string)] @module))
] @import)

; Calls and constructions.
(function_call_expression function: (name) @call.name arguments: (_) @arguments) @call
(function_call_expression function: (variable_name (name) @call.name) arguments: (_) @arguments) @call
(function_call_expression
  function: (qualified_name (namespace_name)? @receiver (name) @call.name .)
  arguments: (_) @arguments) @call
(member_call_expression object: (_) @receiver name: (name) @call.name arguments: (_) @arguments) @call
(nullsafe_member_call_expression object: (_) @receiver name: (name) @call.name arguments: (_) @arguments) @call
(scoped_call_expression scope: (_) @receiver name: (name) @call.name arguments: (_) @arguments) @call
(object_creation_expression (name) @call.name (arguments)? @arguments) @new
(object_creation_expression
  (qualified_name (namespace_name)? @receiver (name) @call.name .)
  (arguments)? @arguments) @new

; What a name is.
(simple_parameter type: (_) @type name: (variable_name) @name) @binding
(property_promotion_parameter type: (_) @type name: (variable_name (name) @name)) @binding
(property_promotion_parameter type: (_) @type name: (variable_name) @name) @binding
(property_declaration type: (_) @type (property_element name: (variable_name (name) @name))) @binding
(assignment_expression
  left: [(variable_name) (member_access_expression)] @name
  right: [
    (object_creation_expression [(name) (qualified_name)] @type)
    (function_call_expression function: [(name) (qualified_name)] @type)
  ]) @binding
(catch_clause type: (type_list) @type name: (variable_name) @name) @binding

; What is thrown, caught, and named as a type.
(throw_expression (object_creation_expression [(name) (qualified_name)] @throw))
(catch_clause type: (type_list (_) @catch))
(named_type) @type.reference
(class_constant_access_expression . [(name) (qualified_name)] @type.reference)
(binary_expression operator: "instanceof" right: [(name) (qualified_name)] @type.reference)

(comment) @comment
