import { createSecret } from "#kernel/internal";
import type { LinkFormat } from "./link-records.js";

/** `once_`: the log redacts such texts. The id finds the record, the whole text proves the link. */
const ONCE = /^once_([0-9A-Za-z]{16,26})_[A-Za-z0-9_-]{43}$/;
/** The two halves of a token after its prefix. */
const HALVES = /^([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** Links that work once. */
export const onceFormat: LinkFormat = {
  create: (id) => {
    const token = `once_${id}_${createSecret()}`;
    return { token, secret: token };
  },
  parse: (token) => {
    const id = ONCE.exec(token)?.[1];
    return id === undefined ? null : { id, secret: token };
  },
};

/** Tokens of an id and a secret after a prefix. */
export function halvesFormat(prefix: string): LinkFormat {
  return {
    create: (id) => {
      const secret = createSecret();
      return { token: `${prefix}${id}_${secret}`, secret };
    },
    parse: (token) => {
      if (!token.startsWith(prefix)) return null;
      const [, id, secret] = HALVES.exec(token.slice(prefix.length)) ?? [];
      return id === undefined || secret === undefined ? null : { id, secret };
    },
  };
}
