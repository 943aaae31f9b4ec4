import type { VNode } from "preact";
import { setQuery } from "../../app/router.js";

/** A search box above a list; its text is `q` of the address. */
export function SearchInput({ label, value }: { label: string; value: string }): VNode {
  return (
    <input
      class="grow"
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={(event) => setQuery({ q: event.currentTarget.value, offset: "" })}
    />
  );
}
