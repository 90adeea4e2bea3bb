; Keys of the first and the second level.
(document (block_node (block_mapping (block_mapping_pair key: (_) @name value: (_)? @body) @config)))
(document
  (block_node (block_mapping (block_mapping_pair
    value: (block_node (block_mapping (block_mapping_pair key: (_) @name value: (_)? @body) @config))))))
(comment) @comment
