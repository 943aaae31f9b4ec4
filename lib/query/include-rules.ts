import { expectFields, expectJson, expectValues, type ValueCheck } from "#lib/values";

const areIncludes = expectValues(expectFields({ description: ["string"], of: ["function"] }));
/** Names stand in a query, separated by commas. */
const NAME = /^[a-z][a-z0-9]*$/i;

const check: ValueCheck = (includes) => {
  const problem = areIncludes(includes);
  if (problem !== null) return problem;
  const wrong = Object.keys(Object(includes)).find((name) => !NAME.test(name));
  return wrong === undefined
    ? null
    : `expected names of letters and digits, received ${JSON.stringify(wrong)}`;
};

/** What an extension list accepts that offers names for `include=`. */
export const INCLUDE_RULES = {
  check,
  fix: 'add objects by name: { words: { description: "Number of words", of: (item, view) => 42 } }',
  result: expectJson(),
  isKeyed: true,
} as const;
