import { Fragment, h } from "preact";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { json } from "../api/request.js";
import { may } from "../api/session.js";
import { nonce } from "../boot.js";
import { Loading } from "../parts/loading.js";
import { fullMoment } from "../parts/moment.js";
import { Pager } from "../parts/lists/pager.js";
import { Table } from "../parts/lists/table.js";
import { useLoaded } from "../parts/use-loaded.js";
import type { PanelApi } from "../../browser-contract.js";
import { href, navigate } from "./router.js";
import { language, texts } from "./texts.js";
import { done } from "./toasts.js";

/** The panel as an extension sees it. */
export function extensionApi(): PanelApi {
  return {
    h,
    Fragment,
    language,
    href,
    may,
    Loading,
    Pager,
    Table,
    hooks: { useEffect, useId, useMemo, useRef, useState },
    useLoaded: <T>(path: string) => useLoaded(path, () => json<T>(path)),
    texts: ({ en, de }) => texts({ en, de: { ...en, ...de } }),
    moment: (at) => fullMoment(at),
    request: (path, call = {}) => json(path, call),
    navigate: (path) => navigate(path),
    say: (text) => done(text),
    style: (css) => {
      const element = document.createElement("style");
      element.nonce = nonce;
      element.textContent = css;
      document.head.append(element);
    },
  };
}
