import { createContext } from "preact";

/** Where the form stands: names of files are counted from its page. */
export interface FieldScope {
  /** Source path of the page; null for records. */
  readonly pagePath: string | null;
}

/** Known to every control of a form. */
export const FieldScope = createContext<FieldScope>({ pagePath: null });
