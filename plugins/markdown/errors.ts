/** Codes of the markdown plugin, with what they mean and what mends them. */
export const markdownErrors = {
  ERR_MARKDOWN_FORMAT_NAME:
    "A plugin registers a format under an extension that no content file can have: use lower-case letters and digits.",
  ERR_MARKDOWN_FORMAT_UNKNOWN:
    "A page has an extension for which no format is registered: select the plugin that brings it.",
  ERR_MARKDOWN_TIMEOUT:
    "A body takes too long to render and is shown as source: look for deeply nested or endlessly repeated marks.",
  ERR_MARKDOWN_RENDER:
    "A body cannot be rendered and is shown as source: it is too large, nested too deeply, or a component failed.",
  ERR_MARKDOWN_TOO_LARGE: "Loose Markdown is larger than 512 KB: send less at once.",
  ERR_MARKDOWN_COMPONENT:
    "An MDX or TSX page does not compile or throws: the message names file, line and column.",
} as const;
