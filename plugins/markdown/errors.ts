/** Error codes of the markdown plugin: meaning and fix. */
export const markdownErrors = {
  ERR_MARKDOWN_FORMAT_NAME:
    "A plugin registers a format with an invalid extension: use lower-case letters and digits.",
  ERR_MARKDOWN_FORMAT_UNKNOWN:
    "No format is registered for the extension of a page: select the plugin that provides it.",
  ERR_MARKDOWN_TIMEOUT:
    "A body takes too long to render and is shown as source: look for deeply nested or very often repeated marks.",
  ERR_MARKDOWN_RENDER:
    "A body cannot be rendered and is shown as source: it is too large, nested too deeply, or a component failed.",
  ERR_MARKDOWN_TOO_LARGE: "The Markdown text is larger than 512 KB: send less at once.",
  ERR_MARKDOWN_COMPONENT:
    "An MDX or TSX page does not compile or throws: the message names file, line and column.",
  ERR_MARKDOWN_WIKI_LINK:
    "A link such as `[[Page]]` names no page and is shown as text: use a title, a slug or a file name, or create the page.",
  ERR_MARKDOWN_SHORTCODE:
    "A shortcode is malformed, has wrong parameters or fails, and is shown as text; or a plugin adds an invalid one.",
} as const;
