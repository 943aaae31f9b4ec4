import type { VNode } from "preact";
import { setQuery } from "../../app/router.js";

/** A list of values that narrows the shown screen; the choice stands in the address. */
export function FilterSelect(props: {
  /** Name in the address. */
  name: string;
  label: string;
  value: string;
  /** Text of the choice that narrows nothing. */
  any: string;
  options: readonly { value: string; label: string }[];
}): VNode {
  const { name, label, value, any, options } = props;
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value, offset: "" })}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
