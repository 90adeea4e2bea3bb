; A namespace holds none of the names below it: it may as well stand in a line of its own.
(namespace_declaration name: (_) @name @module)
(file_scoped_namespace_declaration name: (_) @name @module)

; Types. A base list does not say which is a class: the names of interfaces begin with I and a capital.
(class_declaration name: (identifier) @name (parameter_list)? @parameters body: (_)? @body) @class
(interface_declaration name: (identifier) @name body: (_)? @body) @interface
(struct_declaration name: (identifier) @name (parameter_list)? @parameters body: (_)? @body) @struct
(enum_declaration name: (identifier) @name body: (_)? @body) @enum
(record_declaration name: (identifier) @name (parameter_list)? @parameters body: (_)? @body) @class
(delegate_declaration name: (identifier) @name parameters: (_) @parameters) @type
((class_declaration (base_list [(identifier) (generic_name) (qualified_name)] @extends)) @class
  (#not-match? @extends "^([A-Za-z0-9_]+[.])*I[A-Z]"))
((class_declaration (base_list [(identifier) (generic_name) (qualified_name)] @implements)) @class
  (#match? @implements "^([A-Za-z0-9_]+[.])*I[A-Z]"))
(class_declaration (base_list (primary_constructor_base_type type: (_) @extends))) @class
((record_declaration (base_list [(identifier) (generic_name) (qualified_name)] @extends)) @class
  (#not-match? @extends "^([A-Za-z0-9_]+[.])*I[A-Z]"))
((record_declaration (base_list [(identifier) (generic_name) (qualified_name)] @implements)) @class
  (#match? @implements "^([A-Za-z0-9_]+[.])*I[A-Z]"))
(record_declaration (base_list (primary_constructor_base_type type: (_) @extends))) @class
(struct_declaration (base_list (_) @implements)) @struct
(interface_declaration (base_list (_) @extends)) @interface

; Members.
(method_declaration name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @function
(local_function_statement name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @function
(constructor_declaration name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @constructor
(operator_declaration operator: _ @name parameters: (_) @parameters body: (_)? @body) @function
(conversion_operator_declaration type: (_) @name parameters: (_) @parameters body: (_)? @body) @function
(property_declaration name: (identifier) @name) @field
(event_declaration name: (identifier) @name) @field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(enum_member_declaration name: (identifier) @name) @constant
(record_declaration (parameter_list (parameter name: (identifier) @name) @field))

; Attributes of what is defined; those of parameters are none of it.
(class_declaration (attribute_list (attribute) @decorator))
(interface_declaration (attribute_list (attribute) @decorator))
(struct_declaration (attribute_list (attribute) @decorator))
(enum_declaration (attribute_list (attribute) @decorator))
(record_declaration (attribute_list (attribute) @decorator))
(method_declaration (attribute_list (attribute) @decorator))
(constructor_declaration (attribute_list (attribute) @decorator))
(property_declaration (attribute_list (attribute) @decorator))
(field_declaration (attribute_list (attribute) @decorator))
(enum_member_declaration (attribute_list (attribute) @decorator))

; Imports.
(using_directive !name . [(identifier) (qualified_name)] @module .) @import
(using_directive name: (identifier) @alias [(identifier) (qualified_name) (generic_name)] @module .) @import

; Calls and constructions.
(invocation_expression function: (identifier) @call.name arguments: (_) @arguments) @call
(invocation_expression function: (generic_name . (identifier) @call.name) arguments: (_) @arguments) @call
(invocation_expression
  function: (member_access_expression expression: _ @receiver name: (identifier) @call.name)
  arguments: (_) @arguments) @call
(invocation_expression
  function: (member_access_expression expression: _ @receiver name: (generic_name . (identifier) @call.name))
  arguments: (_) @arguments) @call
(invocation_expression
  function: (conditional_access_expression
    condition: _ @receiver
    (member_binding_expression name: [(identifier) @call.name (generic_name . (identifier) @call.name)]))
  arguments: (_) @arguments) @call
(constructor_initializer ["this" "base"] @call.name (argument_list) @arguments) @call
(object_creation_expression type: (identifier) @call.name arguments: (_)? @arguments) @new
(object_creation_expression type: (generic_name . (identifier) @call.name) arguments: (_)? @arguments) @new
(object_creation_expression
  type: (qualified_name qualifier: (_) @receiver name: [(identifier) @call.name (generic_name . (identifier) @call.name)])
  arguments: (_)? @arguments) @new

; What a name is.
(parameter type: (_) @type name: (identifier) @name) @binding
(property_declaration type: (_) @type name: (identifier) @name) @binding
((variable_declaration type: (_) @type (variable_declarator name: (identifier) @name)) @binding
  (#not-eq? @type "var"))
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @name
    [
      (object_creation_expression type: (_) @type)
      (invocation_expression function: [(identifier) (member_access_expression)] @type)
      (await_expression (invocation_expression function: [(identifier) (member_access_expression)] @type))
    ])) @binding
(foreach_statement type: (implicit_type) left: (identifier) @name right: [(identifier) (member_access_expression)] @type) @binding
((foreach_statement type: (_) @type left: (identifier) @name) @binding (#not-eq? @type "var"))
(catch_declaration type: (_) @type name: (identifier) @name) @binding
((declaration_expression type: (_) @type name: (identifier) @name) @binding (#not-eq? @type "var"))
((declaration_pattern type: (_) @type name: (identifier) @name) @binding (#not-eq? @type "var"))
(assignment_expression
  left: [(identifier) (member_access_expression)] @name
  right: (object_creation_expression type: (_) @type)) @binding

; What is thrown, caught, and named as a type.
(throw_statement (object_creation_expression type: (_) @throw))
(throw_expression (object_creation_expression type: (_) @throw))
(catch_declaration type: (_) @catch)
(parameter type: (identifier) @type.reference)
(property_declaration type: (identifier) @type.reference)
(method_declaration returns: (identifier) @type.reference)
(variable_declaration type: (identifier) @type.reference)
(type_argument_list (identifier) @type.reference)
(parameter type: (generic_name . (identifier) @type.reference))
(property_declaration type: (generic_name . (identifier) @type.reference))
(method_declaration returns: (generic_name . (identifier) @type.reference))
(variable_declaration type: (generic_name . (identifier) @type.reference))
(type_argument_list (generic_name . (identifier) @type.reference))
(typeof_expression type: (generic_name . (identifier) @type.reference))
(cast_expression type: (generic_name . (identifier) @type.reference))
(nullable_type (identifier) @type.reference)
(array_type type: (identifier) @type.reference)
(typeof_expression type: (identifier) @type.reference)
(cast_expression type: (identifier) @type.reference)
(as_expression right: (identifier) @type.reference)
(is_expression right: (identifier) @type.reference)
(type_parameter_constraint type: (identifier) @type.reference)

(comment) @comment
