; Keys of the first and the second level.
(document (object (pair key: (string) @name value: (_) @body) @config))
(document (object (pair value: (object (pair key: (string) @name value: (_) @body) @config))))
(comment) @comment
