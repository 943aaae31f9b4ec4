import type { ComponentChildren, VNode } from "preact";
import { setQuery } from "../../app/router.js";
import { Loading } from "../loading.js";
import { Pager } from "./pager.js";
import type { Loaded } from "../use-loaded.js";

/** A part of a long list with its count and pager; the offset is in the address. */
export function Paged<T extends { readonly total: number }>(props: {
  of: Loaded<T>;
  offset: number;
  limit: number;
  /** The line above the list. */
  count(total: number): string;
  children(data: T): ComponentChildren;
}): VNode {
  const { of, offset, limit, count, children } = props;
  return (
    <Loading of={of}>
      {(data) => (
        <>
          <p class="dim" role="status">
            {count(data.total)}
          </p>
          {children(data)}
          <Pager
            {...{ offset, limit, total: data.total }}
            onMove={(to) => setQuery({ offset: to === 0 ? "" : String(to) })}
          />
        </>
      )}
    </Loading>
  );
}
