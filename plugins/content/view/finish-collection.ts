/** Lets plugins change the result of a collection query. */
import type { Hooks } from "#kernel";
import type { Collection, CollectionQuery } from "../contract.js";

/** The collection after `onCollectionResolved`; synchronous when no hook is registered. */
export function finishCollection(
  hooks: Pick<Hooks, "has" | "transform">,
  query: CollectionQuery,
  collection: Collection,
): Collection | Promise<Collection> {
  if (!hooks.has("onCollectionResolved")) return collection;
  const result = hooks.transform("onCollectionResolved", { query, collection });
  return "then" in result ? result.then((data) => data.collection) : result.collection;
}
