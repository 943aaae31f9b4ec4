/** Texts: order, names of files, CSV, differences and merges. Runs in Node.js and in browsers. */
export {
  compareTextKeys,
  compareTexts,
  compareUnits,
  sortByText,
  toTextKey,
  type TextKey,
} from "./collation.js";
export { csvValue, formatCsv } from "./csv.js";
export { parseEmailAddress } from "./email-address.js";
export {
  PAGE_EXTENSION,
  orderPrefix,
  pageStem,
  sameLanguage,
  sameName,
  splitOrder,
  withoutExtension,
  withoutOrders,
} from "./file-names.js";
export { dedented, type FilePart, lineRange, partOf } from "./file-part.js";
export {
  differingParts,
  lineChanges,
  mergeParts,
  type MergePart,
  mergeTexts,
} from "./merge-texts.js";
export { toSentence } from "./sentence.js";
export { finderIn, replaceMarks, withoutTags, type Find } from "./replace-marks.js";
