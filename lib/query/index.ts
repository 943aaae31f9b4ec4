/** The query language of lists: parameters, conditions, orders, cursors, and a table with indexes. Runs in Node.js. */
export type {
  QueryCondition,
  QueryKind,
  QueryName,
  QueryOperator,
  QueryOrder,
  QueryResult,
  QuerySlice,
  QuerySort,
  QuerySource,
  QueryText,
} from "./contract.js";
export { described, filterParameter } from "./describe-parameters.js";
export { queryKindOf } from "./field-kind.js";
export { INCLUDE_RULES } from "./include-rules.js";
export { pickFields } from "./pick-fields.js";
export { queryError, unknownName } from "./query-error.js";
export { QueryTable, resolveName, type TableQuery } from "./query-table.js";
export { QUERY_PARAMETERS, isTypedQuery, readQuery } from "./read-query.js";
