/** Error codes of comments: meaning and fix. */
export const commentErrors = {
  ERR_COMMENTS_FORMS: "Comments need the plugins `forms` and `session`: select them.",
  ERR_COMMENTS_PAGE:
    "The page does not exist, is not visible for the visitor, or takes no comments: set `comments: true` in its front matter.",
  ERR_COMMENTS_INVALID:
    "A field of the comment is missing or too long: `validationErrors` names it.",
  ERR_COMMENTS_TEXT:
    "The text of the comment cannot be rendered within the time limit, or is nested too deeply: remove some of its marks.",
  ERR_COMMENTS_LOGIN: "Only visitors who are logged in may comment: log in first.",
  ERR_COMMENTS_FULL:
    "As many comments of the page are shown or waiting as `comments.max_per_page` allows.",
  ERR_COMMENTS_UNKNOWN: "There is no such comment: it was deleted.",
} as const;
