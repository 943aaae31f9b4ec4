/** What the editor of a page loads at each start once the text is there: one file, which typing does not wait for. */
export { default as Notices } from "./notices.js";
export { default as PageForm } from "./page-form.js";
export { default as Languages } from "./panes/languages.js";
export { default as Publication } from "./publish/publication.js";
export { followOthers } from "./saving/other-editors.js";
export { addTextTools } from "./text/text-tools.js";
export { default as Toolbar } from "./toolbar/toolbar.js";
