import { isEmpty } from "#lib/fields";
import type { QueryCondition, QueryKind, QueryOperator } from "./contract.js";
import { positionOf, toComparable, type Comparing, type Position } from "./comparable.js";
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

interface Parts {
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

const COMPILERS: Readonly<Record<QueryOperator, (parts: Parts) => CompiledCondition>> = {
  is: ({ condition }) => {
    const texts = new Set(condition.values);
    return both((value) => value !== undefined && texts.has(String(value)));
  },
  eq: (parts) => both(equals(parts)),
  ne: (parts) => both(equals(parts), true),
  in: (parts) => both(equals(parts)),
  nin: (parts) => both(equals(parts), true),
  lt: (parts) => both(placed(parts, (at) => at < 0)),
  lte: (parts) => both(placed(parts, (at) => at <= 0)),
  gt: (parts) => both(placed(parts, (at) => at > 0)),
  gte: (parts) => both(placed(parts, (at) => at >= 0)),
  contains: (parts) => {
    const wanted = parts.first.toLowerCase();
    return {
      isNegated: false,
      scalar: (value) => typeof value === "string" && value.toLowerCase().includes(wanted),
      element: (value) => typeof value !== "object" && String(value) === parts.first,
    };
  },
  startsWith: ({ first }) => {
    const wanted = first.toLowerCase();
    return both((value) => typeof value === "string" && value.toLowerCase().startsWith(wanted));
  },
  exists: ({ condition, first }) => {
    if (first !== "true" && first !== "false")
      throw queryError(condition.parameter, `${shownText(first)} is not true or false`);
    return both(() => true, first === "false");
  },
};

/** Equal to one of the values: texts exactly, all else as their kind compares them. */
function equals({ condition, kind, by }: Parts): ValueTest {
  const texts = new Set(condition.values);
  if (kind === "text")
    return (_, comparable) => typeof comparable === "string" && texts.has(comparable);
  const positions = condition.values.map((text) => position(condition, text, { kind, by }));
  const isAt = (comparable: ReturnType<typeof toComparable>): boolean =>
    positions.some((at) => at(comparable) === 0);
  if (kind !== "any") return (_, comparable) => isAt(comparable);
  const isDated = condition.values.map((text) => positionOf(text, "date", by) !== null);
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

function placed(parts: Parts, isWanted: (at: -1 | 0 | 1) => boolean): ValueTest {
  const at = position(parts.condition, parts.first, parts);
  return (_, comparable) => {
    const found = at(comparable);
    return found !== null && isWanted(found);
  };
}

function position(
  { parameter }: QueryCondition,
  text: string,
  { kind, by }: Pick<Parts, "kind" | "by">,
): Position {
  const found = positionOf(text, kind, by);
  if (found !== null) return found;
  throw queryError(parameter, `${shownText(text)} is not ${EXPECTED[kind]}`);
}
