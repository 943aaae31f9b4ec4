/** V8's view of the hidden class of an object. */
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";

setFlagsFromString("--allow-natives-syntax");

/** True while the object has fast properties: it has not become a dictionary. */
export const hasFields: (object: object) => boolean = runInThisContext(
  "(object) => %HasFastProperties(object)",
);

/** True when two objects share a hidden class. */
export const areAlike: (a: object, b: object) => boolean = runInThisContext(
  "(a, b) => %HaveSameMap(a, b)",
);
