/** What V8 says about the hidden class of an object. */
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";

setFlagsFromString("--allow-natives-syntax");

/** True while the fields of an object have places of their own: it has not become a dictionary. */
export const hasFields: (object: object) => boolean = runInThisContext(
  "(object) => %HasFastProperties(object)",
);

/** True when two objects are of one hidden class. */
export const areAlike: (a: object, b: object) => boolean = runInThisContext(
  "(a, b) => %HaveSameMap(a, b)",
);
