import { isEmpty } from "#lib/fields";
import type { QueryCondition, QueryKind, QueryOperator } from "./contract.js";
import { createPosition, toComparable, type Comparing, type Position } from "./comparable.js";
import { queryError, shownText } from "./read-query.js";

/** A test of one value, given as it is and as its kind compares it. */
type ValueTest = (value: unknown, comparable: ReturnType<typeof toComparable>) => boolean;
/** A condition, ready to test values. */
export interface CompiledCondition {
  /** True: the condition holds where the tests fail. */
  readonly isNegated: boolean;
  /** A value that is not a list; never an absent one, except for `is`. */
  readonly scalar: ValueTest;
  /** An element of a list. */
  readonly element: ValueTest;
}

const EXPECTED: Readonly<Record<QueryKind, string>> = {
  text: "a text",
  any: "a value",
  number: "a number",
  boolean: "true or false",
  date: "a date such as 2027-06-01 or 2027-06-01T09:00",
};

/** @throws HttpError 400 for a value that is not of the kind. */
export function compileCondition(
  condition: QueryCondition,
  kind: QueryKind,
  by: Comparing,
): CompiledCondition {
  const { operator, values } = condition;
  const make = COMPILERS[operator];
  const compiled = make({ condition, kind, by, first: values[0] ?? "" });
  if (operator === "is") return compiled;
  return { ...compiled, scalar: present(compiled.scalar), element: present(compiled.element) };
}

function present(test: ValueTest): ValueTest {
  return (value, comparable) => !isEmpty(value) && test(value, comparable);
}

interface Comparison {
  readonly condition: QueryCondition;
  readonly kind: QueryKind;
  readonly by: Comparing;
  readonly first: string;
}

const both = (test: ValueTest, isNegated = false): CompiledCondition => ({
  isNegated,
  scalar: test,
  element: test,
});

const COMPILERS: Readonly<Record<QueryOperator, (comparison: Comparison) => CompiledCondition>> = {
  is: ({ condition }) => {
    const texts = new Set(condition.values);
    return both((value) => value !== undefined && texts.has(String(value)));
  },
  eq: (comparison) => both(equals(comparison)),
  ne: (comparison) => both(equals(comparison), true),
  in: (comparison) => both(equals(comparison)),
  nin: (comparison) => both(equals(comparison), true),
  lt: (comparison) => both(placed(comparison, (at) => at < 0)),
  lte: (comparison) => both(placed(comparison, (at) => at <= 0)),
  gt: (comparison) => both(placed(comparison, (at) => at > 0)),
  gte: (comparison) => both(placed(comparison, (at) => at >= 0)),
  contains: (comparison) => {
    const lowered = comparison.first.toLowerCase();
    return {
      isNegated: false,
      scalar: (value) => typeof value === "string" && value.toLowerCase().includes(lowered),
      element: (value) => typeof value !== "object" && String(value) === comparison.first,
    };
  },
  startsWith: ({ first }) => {
    const lowered = first.toLowerCase();
    return both((value) => typeof value === "string" && value.toLowerCase().startsWith(lowered));
  },
  exists: ({ condition, first }) => {
    if (first !== "true" && first !== "false")
      throw queryError(condition.parameter, `${shownText(first)} is not true or false`);
    return both(() => true, first === "false");
  },
};

/** Equal to one of the values: texts exactly, all else as their kind compares them. */
function equals({ condition, kind, by }: Comparison): ValueTest {
  const texts = new Set(condition.values);
  if (kind === "text")
    return (_, comparable) => typeof comparable === "string" && texts.has(comparable);
  const positions = condition.values.map((text) => position(condition, text, { kind, by }));
  const isAt = (comparable: ReturnType<typeof toComparable>): boolean =>
    positions.some((at) => at(comparable) === 0);
  if (kind !== "any") return (_, comparable) => isAt(comparable);
  const isDated = condition.values.map((text) => createPosition(text, "date", by) !== null);
  return (_, comparable) => {
    if (typeof comparable !== "string") return isAt(comparable);
    if (texts.has(comparable)) return true;
    return positions.some(
      (at, index) => isDated[index] === true && isMoment(comparable, by) && at(comparable) === 0,
    );
  };
}

function isMoment(text: string, { timezone }: Comparing): boolean {
  return toComparable(text, "date", timezone) !== null;
}

function placed(comparison: Comparison, isWanted: (at: -1 | 0 | 1) => boolean): ValueTest {
  const at = position(comparison.condition, comparison.first, comparison);
  return (_, comparable) => {
    const compared = at(comparable);
    return compared !== null && isWanted(compared);
  };
}

function position(
  { parameter }: QueryCondition,
  text: string,
  { kind, by }: Pick<Comparison, "kind" | "by">,
): Position {
  const compared = createPosition(text, kind, by);
  if (compared !== null) return compared;
  throw queryError(parameter, `${shownText(text)} is not ${EXPECTED[kind]}`);
}
