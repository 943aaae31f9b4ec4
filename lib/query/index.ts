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
export {
  described,
  filterParameter,
  INCLUDE_RULES,
  isTypedQuery,
  QUERY_PARAMETERS,
  queryError,
  readQuery,
  unknownName,
} from "./read-query.js";
export { queryKindOf } from "./comparable.js";
export { resolveName, type DirectedOrder } from "./order-keys.js";
export { pickFields, QueryTable, type SortedItems, type TableQuery } from "./query-table.js";
