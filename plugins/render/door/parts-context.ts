import { createContext } from "preact";

/** Where trusted markup can be left while a document is drawn; null outside of one. */
export const PartsContext = createContext<{ mark(html: string): string } | null>(null);
