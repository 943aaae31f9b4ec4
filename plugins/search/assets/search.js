/* Generated from plugins/search/client by scripts/browser-search.mjs. */
/* oxlint-disable */
// plugins/search/client/utf8-length.js
function g(e) {
  return new TextEncoder().encode(e).length;
}

// plugins/search/query/terms.ts
var ct = new RegExp(
    [
      "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f",
      "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
      "\\u0610-\\u061a\\u064b-\\u065f\\u0670]",
    ].join(""),
    "gu",
  ),
  lt = /[ßøæœłđðþıς]/gu,
  ut = {
    ß: "ss",
    ø: "o",
    æ: "ae",
    œ: "oe",
    ł: "l",
    đ: "d",
    ð: "d",
    þ: "th",
    ı: "i",
    ς: "σ",
  },
  ft = /[\s\p{Cc}\p{Cf}\p{Cs}]/gu,
  dt = /^[^\p{L}\p{N}]+/u,
  mt = /^[\p{L}\p{N}\p{M}]$/u,
  ht = /^[!-~]*$/,
  I = /\S+/gu;
function y(e) {
  if (ht.test(e)) return k(S(e.toLowerCase()));
  let t = e
    .normalize("NFKD")
    .toLowerCase()
    .replace(ct, "")
    .replace(lt, (n) => ut[n] ?? n)
    .normalize("NFC")
    .replace(ft, "");
  return k(S(t));
}
function S(e) {
  if (F(e.charCodeAt(0)) && F(e.charCodeAt(e.length - 1))) return e;
  let t = e.replace(dt, ""),
    n = t.length;
  for (; n > 0 && !gt(t, n);) n -= 1;
  return n === t.length ? t : t.slice(0, n);
}
function gt(e, t) {
  let n = e.charCodeAt(t - 1);
  if (n < 128) return F(n);
  let o = n >= 56320 && n <= 57343;
  return mt.test(o ? e.slice(Math.max(0, t - 2), t) : e.charAt(t - 1));
}
function F(e) {
  let t = e | 32;
  return (e >= 48 && e <= 57) || (t >= 97 && t <= 122);
}
function k(e) {
  if (e.length <= 64) return e;
  let t = e.slice(0, 64),
    n = t.charCodeAt(63);
  return n >= 55296 && n <= 56319 ? t.slice(0, -1) : t;
}
function P(e) {
  if (e.length !== 2) return e.length > 2;
  let t = e.charCodeAt(0);
  return t < 55296 || t > 56319;
}
function pt(e) {
  let t = [];
  for (let n of e.match(I) ?? []) {
    let o = y(n);
    P(o) && t.push(o);
  }
  return t;
}
function j(e) {
  return [...new Set(pt(e.slice(0, 256)))].slice(0, 16);
}
function E(e) {
  let t = [];
  for (let n of e.match(I) ?? []) {
    let o = y(n);
    o !== "" && t.push(o);
  }
  return t.join(" ");
}

// plugins/search/query/find-matches.ts
var D = 1e5,
  v = /[^\0-\x7f]/g,
  W = /\s/u;
function H(e, t) {
  if (t.length === 0) return [];
  let n = e.length > D ? e.slice(0, D) : e,
    o = n.toLowerCase(),
    r = [],
    s = o.length === n.length ? bt : yt;
  t.forEach((i, l) => s({ text: n, lower: o }, { term: i, at: l }, r));
  let a = g(n) === n.length;
  return (a || xt(n, t, r), a && t.length === 1 ? r : wt(r));
}
function bt({ text: e, lower: t }, { term: n, at: o }, r) {
  let s = t.indexOf(n);
  for (; s >= 0;) {
    let a = s + 1;
    if (Mt(e, s)) {
      let i = $(e, s);
      (O(r, e, { start: s, end: i, term: o }), (a = Math.max(a, i)));
    }
    s = t.indexOf(n, a);
  }
}
function yt({ text: e }, { term: t, at: n }, o) {
  for (let { index: r, 0: s } of e.matchAll(/\S+/gu)) {
    let a = { start: r, end: r + s.length, term: n };
    y(s).startsWith(t) && O(o, e, a);
  }
}
function xt(e, t, n) {
  v.lastIndex = 0;
  let o = 0;
  for (let r = v.exec(e); r; r = v.exec(e)) {
    if (r.index < o || W.test(r[0])) continue;
    let [s, a] = [St(e, r.index), $(e, r.index)];
    ((o = a), (v.lastIndex = Math.max(o, r.index + 1)));
    let i = y(e.slice(s, a)),
      l = P(i) ? t.findIndex((c) => i.startsWith(c)) : -1;
    l >= 0 && O(n, e, { start: s, end: a, term: l });
  }
}
function O(e, t, n) {
  if (N(t, n.start) && N(t, n.end - 1)) {
    e.push(n);
    return;
  }
  let o = t.slice(n.start, n.end),
    r = S(o),
    s = n.start + o.indexOf(r);
  r !== "" && e.push({ start: s, end: s + r.length, term: n.term });
}
function wt(e) {
  e.sort((o, r) => o.start - r.start || o.term - r.term);
  let [t, n] = [0, -1];
  for (let o of e) (o.start !== n && (e[t++] = o), (n = o.start));
  return ((e.length = t), e);
}
function Mt(e, t) {
  let n = t - 1;
  for (; n >= 0 && vt(e.charCodeAt(n));) n -= 1;
  return n < 0 || p(e, n);
}
function St(e, t) {
  let n = t;
  for (; n > 0 && !p(e, n - 1);) n -= 1;
  return n;
}
function $(e, t) {
  let n = t;
  for (; n < e.length && !p(e, n);) n += 1;
  return n;
}
function p(e, t) {
  let n = e.charCodeAt(t);
  return n < 128 ? n === 32 || (n >= 9 && n <= 13) : W.test(e.charAt(t));
}
function vt(e) {
  return e > 32 && e <= 126 && !U(e);
}
function N(e, t) {
  return U(e.charCodeAt(t));
}
function U(e) {
  let t = e | 32;
  return (e >= 48 && e <= 57) || (t >= 97 && t <= 122);
}

// plugins/search/query/excerpt.ts
var Ct = 20,
  z = 40,
  Rt = /[&<>"']/gu,
  B = /[&<>"']|\s{2,}|[^\S ]/u,
  Tt = new RegExp(B, "gu"),
  Q = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
function Ft(e) {
  return e.replace(Rt, (t) => Q[t] ?? t);
}
function G(e, t) {
  let n = H(e, t.terms),
    o = At(e, Pt(n, t.length), t.length),
    r = t.highlight ? n.filter((i) => i.start >= o.start && i.end <= o.end) : [],
    s = (o.start > 0 ? "…" : "") + It(e, o, r) + (o.end < e.length ? "…" : ""),
    a = /* @__PURE__ */ new Set();
  for (let i of n) {
    if (a.size === Ct) break;
    a.add(e.slice(i.start, i.end));
  }
  return { html: s, highlights: Array.from(a, Ft) };
}
function Pt(e, t) {
  let [n, o, r, s, a] = [0, -1, 0, 0, 0],
    i = [];
  for (let l = 0; l < e.length; l++) {
    let { term: c, end: f } = e[l];
    for ((i[c] = (i[c] ?? 0) + 1) === 1 && (a += 1); s < l && f - e[s].start > t;) {
      let d = e[s++].term;
      (i[d] = i[d] - 1) === 0 && (a -= 1);
    }
    let u = a * e.length + (l - s + 1);
    u > r && ([n, o, r] = [s, l, u]);
  }
  return Ot(e, { first: n, last: o });
}
function Ot(e, t) {
  let [n, o] = [e[t.first], e[t.last]];
  return n && o ? { first: n.start, last: o.end } : null;
}
function At(e, t, n) {
  if (e.length <= n) return { start: 0, end: e.length };
  let o = t ? Math.max(0, n - (t.last - t.first)) : 0,
    r = t ? Math.max(0, t.first - Math.floor(o / 2)) : 0,
    s = Math.min(r, e.length - n),
    a = s === 0 ? 0 : Lt(e, s, t ? t.first : s),
    i = Math.min(e.length, a + n);
  return { start: a, end: i === e.length ? i : kt(e, i, t ? t.last : a) };
}
function Lt(e, t, n) {
  if (p(e, t - 1)) return t;
  for (let o = t; o < Math.min(n, t + z); o++) if (p(e, o)) return o + 1;
  return K(e, t) ? t + 1 : t;
}
function kt(e, t, n) {
  if (p(e, t)) return t;
  for (let o = t - 1; o >= Math.max(n, t - z); o--) if (p(e, o)) return o;
  return K(e, t) ? t - 1 : t;
}
function K(e, t) {
  let n = e.charCodeAt(t);
  return n >= 56320 && n <= 57343;
}
function It(e, t, n) {
  let o = e.slice(t.start, t.end),
    r = B.test(o) ? Et : jt,
    s = "",
    a = 0;
  for (let i of n) {
    let [l, c] = [i.start - t.start, i.end - t.start];
    ((s += `${r(o.slice(a, l))}<mark>${r(o.slice(l, c))}</mark>`), (a = c));
  }
  return (s + r(o.slice(a))).trim();
}
function jt(e) {
  return e;
}
function Et(e) {
  return e.replace(Tt, (t) => Q[t] ?? " ");
}

// plugins/search/query/score.ts
var x = { title: 3, taxonomy: 2, body: 1, exactTitle: 5 },
  Dt = 1.5,
  V = 1e3;
function Z(e) {
  let t = new Map(Object.entries(e).map(([r, s]) => [r, s.weight])),
    n = (r, s) => Math.round((t.get(r) ?? s) * V),
    o = n("title", x.title);
  return {
    title: o,
    taxonomy: n("taxonomy", x.taxonomy),
    body: n("body", x.body),
    exactTitle: Math.round((o * x.exactTitle) / x.title),
    field: (r) => n(r, 1),
    configured: Object.fromEntries([...t.keys()].map((r) => [r, n(r, 1)])),
  };
}
function Nt(e, t) {
  return (t ? e * Dt : e) / V;
}
function _(e, t, n) {
  let o = t ? n.exactTitle : 0;
  for (let r of e) r && (o += Wt(r, n));
  return Nt(o, e.length > 1 && e.every((r) => r !== null));
}
function Wt(e, t) {
  return Ht(e, t).reduce((n, o) => n + o.points, 0);
}
function Ht(e, t) {
  let n = Math.min(e.body, 5);
  return [
    { field: "title", count: e.title ? 1 : 0, points: e.title ? t.title : 0 },
    { field: "taxonomy", count: e.taxonomy, points: e.taxonomy * t.taxonomy },
    { field: "body", count: e.body, points: n * t.body },
    ...e.fields.map((r) => ({ field: r, count: 1, points: t.field(r) })),
  ].filter((r) => r.count > 0);
}

// plugins/search/query/select.ts
function J(e, t) {
  let n = zt(t),
    o = new Map(t.facets.map((a) => [a, /* @__PURE__ */ new Map()])),
    r = [];
  for (let a of e) {
    if (a.score === 0 && t.terms.length > 0) continue;
    let i = n.filter((l) => !l.passes(a.document));
    (i.length === 0 && r.push(a), Bt(o, a.document, i));
  }
  r.sort(t.sort === "date" || t.terms.length === 0 ? $t : Ut);
  let s = r.slice(t.offset, t.offset + t.limit);
  return {
    total: r.length,
    hits: s.map(({ document: a, score: i }) => ({ route: a.route, score: i })),
    facets: Qt(o),
  };
}
function X(e, t) {
  let [n, o] = [e.date ?? "", t.date ?? ""];
  return n !== o ? (n < o ? 1 : -1) : e.route < t.route ? -1 : e.route > t.route ? 1 : 0;
}
function $t(e, t) {
  return X(e.document, t.document);
}
function Ut(e, t) {
  return t.score - e.score || X(e.document, t.document);
}
function zt(e) {
  let { template: t, from: n, to: o, taxonomy: r, facets: s } = e.filters,
    a = new Set(e.access),
    i = [{ facet: null, passes: (c) => a.has(c.access) }],
    l = (c, f = null) => {
      i.push({ facet: f, passes: c });
    };
  (e.lang !== null && l((c) => c.lang === e.lang || c.lang === ""),
    t !== void 0 && l((c) => c.template === t),
    n !== void 0 && l((c) => c.date !== null && c.date >= n),
    o !== void 0 && l((c) => c.date !== null && c.date <= o));
  for (let [c, f] of Object.entries(r)) l((u) => A(u.taxonomy, c).some((d) => f.includes(d)));
  for (let [c, f] of Object.entries(s)) l((u) => A(u.facets, c).some((d) => f.includes(d)), c);
  return i;
}
function Bt(e, t, n) {
  let o = n[0];
  if (!(n.length > 1 || (o && o.facet === null))) {
    for (let [r, s] of e)
      if (!(o && o.facet !== r))
        for (let a of new Set(A(t.facets, r))) s.set(a, (s.get(a) ?? 0) + 1);
  }
}
function A(e, t) {
  return Object.hasOwn(e, t) ? (e[t] ?? []) : [];
}
function Qt(e) {
  return Object.fromEntries([...e].map(([t, n]) => [t, Gt([...n])]));
}
function Gt(e) {
  return (e.sort((t, n) => n[1] - t[1] || (t[0] < n[0] ? -1 : 1)), Object.fromEntries(e));
}

// plugins/search/client/matches.ts
function tt(e, t, n) {
  for (let [o, r, s, a, i] of t.terms)
    if (o.startsWith(n)) {
      (q(r, (l, c) => {
        w(e, l).body += c;
      }),
        Y(s, (l) => {
          w(e, l).title = !0;
        }),
        q(a, (l, c) => {
          w(e, l).values.add(c);
        }));
      for (let [l, c] of i)
        Y(c, (f) => {
          w(e, f).fields.add(l);
        });
    }
}
function et(e, { id: t, terms: n }, o) {
  for (let [r, s, a, i, l] of n) {
    if (!r.startsWith(o)) continue;
    let c = w(e, t);
    ((c.body += s), (c.title ||= a === 1), C(c.values, i), C(c.fields, l));
  }
}
function w(e, t) {
  let n = e.get(t);
  if (n !== void 0) return n;
  let o = {
    title: !1,
    values: /* @__PURE__ */ new Set(),
    body: 0,
    fields: /* @__PURE__ */ new Set(),
  };
  return (e.set(t, o), o);
}
function nt(e, t) {
  if (e === void 0) return null;
  let { title: n, values: o, body: r, fields: s } = e;
  return { title: n, taxonomy: o.size, body: r, fields: [...s].map((a) => t[a] ?? "") };
}
function C(e, t) {
  for (let n of t) e.add(n);
}
function Y(e, t) {
  let n = 0;
  for (let o of e) t((n += o));
}
function q(e, t) {
  let n = 0;
  for (let o = 0; o + 1 < e.length; o += 2) ((n += e[o] ?? 0), t(n, e[o + 1] ?? 0));
}

// plugins/search/client/client-search.ts
var R = class {
  #o;
  #e = /* @__PURE__ */ new Map();
  constructor(t) {
    this.#o = t;
  }
  /** The head of the index: page size, facets. */
  head() {
    return this.#t("index.json");
  }
  async search(t) {
    let n = await this.head(),
      o = j(t.text),
      r = o.length === 0 && ot(t.filters);
    if (o.length === 0 && !r) return { total: 0, items: [], facets: {}, hasMore: !1 };
    let s = await this.#s(n, t.text, o),
      i =
        !ot(t.filters) && t.sort === "relevance" && t.lang === null && n.facets.length === 0
          ? Kt(s, t)
          : await this.#r(n, s, { ...t, terms: o, isBrowsing: r }),
      l = await Promise.all(
        i.hits.map(async ({ id: u, score: d }) =>
          Zt(await this.#c(n, u), { head: n, terms: o, score: d }),
        ),
      ),
      { total: c, facets: f } = i;
    return { total: c, items: l, facets: f, hasMore: t.offset + t.limit < c };
  }
  /** Applies the server's rules for filters and facets, which need every document. */
  async #r(t, n, o) {
    let r = await this.#i(t),
      {
        total: s,
        hits: a,
        facets: i,
      } = J(Vt(n, r, o.isBrowsing), { ...o, access: [""], facets: t.facets }),
      l = new Map([...r].map(([f, u]) => [u[0], f])),
      c = a.map(({ route: f, score: u }) => ({ id: l.get(f) ?? -1, score: u }));
    return { total: s, facets: i ?? {}, hits: c };
  }
  async #s(t, n, o) {
    let r = Z(t.weights),
      s = await this.#n(t),
      a = new Set(t.removed),
      i = E(n),
      l = /* @__PURE__ */ new Set(),
      c = await Promise.all(
        o.map(async (u) => {
          let d = /* @__PURE__ */ new Map();
          for (let h of await this.#a(t, u)) {
            tt(d, h, u);
            for (let [b, M] of h.titles) b === i && C(l, M);
          }
          for (let h of a) d.delete(h);
          for (let h of s) et(d, h, u);
          return d;
        }),
      );
    for (let u of a) l.delete(u);
    for (let { id: u, title: d } of s) d === i && l.add(u);
    let f = /* @__PURE__ */ new Map();
    for (let u of new Set(c.flatMap((d) => [...d.keys()]))) {
      let d = c.map((h) => nt(h.get(u), t.fields));
      f.set(u, _(d, l.has(u), r));
    }
    return f;
  }
  /** Returns the files with the words that start with a term. */
  async #a({ terms: t }, n) {
    let o = t.flatMap(([r, s], a) => {
      let i = t[a + 1]?.[0];
      return (r <= n || r.startsWith(n)) && (i === void 0 || i > n) ? [s] : [];
    });
    return Promise.all(o.map((r) => this.#t(r)));
  }
  async #i(t) {
    let { rows: n } = await this.#t(t.rows),
      o = new Map(n.map((r, s) => [s, r]));
    for (let r of t.removed) o.delete(r);
    for (let { id: r, row: s } of await this.#n(t)) o.set(r, s);
    return o;
  }
  async #n({ late: t }) {
    return t === null ? [] : this.#t(t);
  }
  async #c(t, n) {
    let o = (await this.#n(t)).find((i) => i.id === n);
    if (o !== void 0) return o.shown;
    let r = t.shown.findLastIndex(([i]) => i <= n),
      [s, a] = t.shown[r] ?? [0, ""];
    return (await this.#t(a))[n - s];
  }
  /** The export writes this file beside the script, in the shape that `format.ts` defines. */
  async #t(t) {
    let n = this.#e.get(t) ?? this.#o(t);
    this.#e.set(t, n);
    try {
      return await n;
    } catch (o) {
      throw (this.#e.delete(t), o);
    }
  }
};
function Kt(e, { offset: t, limit: n }) {
  let o = [...e]
    .map(([r, s]) => ({ id: r, score: s }))
    .filter(({ score: r }) => r > 0)
    .sort((r, s) => s.score - r.score || r.id - s.id);
  return { total: o.length, facets: {}, hits: o.slice(t, t + n) };
}
function* Vt(e, t, n) {
  for (let [o, r] of t) {
    let s = e.get(o) ?? 0;
    if (s === 0 && !n) continue;
    let [a, i, l, c, f, u] = r;
    yield {
      score: s,
      document: {
        ...{ route: a, lang: i, template: l, date: c, taxonomy: f, facets: u },
        title: "",
        fields: {},
        access: "",
      },
    };
  }
}
function Zt(e, t) {
  let { head: n, terms: o, score: r } = t,
    { text: s, ...a } = e ?? _t,
    { highlight: i, excerptLength: l } = n,
    c = G(s, { terms: o, length: l, highlight: i }),
    f = { ...a, score: r, excerpt: c.html };
  return i ? { ...f, highlights: c.highlights } : f;
}
var _t = {
  route: "/",
  title: "",
  template: "",
  date: "",
  taxonomy: {},
  text: "",
};
function ot({ template: e, from: t, to: n, taxonomy: o, facets: r }) {
  return [e, t, n].some((a) => a !== void 0) || Object.keys(o).length + Object.keys(r).length > 0;
}

// plugins/search/client/read-request.js
function st(e, t) {
  let n = t.facets.includes("subtype"),
    o = Jt(e, t.facets),
    r = e.get("type") ?? "";
  return (
    n && r !== "" && r !== "all" && (o.subtype = [r]),
    {
      text: e.get("q") ?? "",
      filters: { taxonomy: Xt(e), facets: o },
      sort: n && e.get("sort") === "date" ? "date" : "relevance",
      limit: Math.min(500, rt(e.get("limit"), 1) ?? t.pageSize),
      offset: rt(e.get("offset"), 0) ?? 0,
    }
  );
}
function rt(e, t) {
  return /^\d{1,7}$/.test(e ?? "") && Number(e) >= t ? Number(e) : null;
}
function Jt(e, t) {
  let n = t.map((o) => {
    let r = [...e.getAll(`facet[${o}]`), ...e.getAll(`facet[${o}][]`)];
    return [o, r.filter((s) => s !== "")];
  });
  return Object.fromEntries(n.filter(([, o]) => o.length > 0));
}
function Xt(e) {
  let t = {};
  for (let [n, o] of e) {
    let r = /^taxonomy\[([^\]]+)\](?:\[\])?$/.exec(n)?.[1];
    r !== void 0 && o !== "" && (t[r] = [...(t[r] ?? []), o]);
  }
  return t;
}

// plugins/search/client/search-page.js
var it = new URL("./", import.meta.url),
  Yt = new URL("../../", it),
  at = new R(async (e) => {
    let t = await fetch(new URL(e, it));
    if (!t.ok) throw new Error(`${e}: ${t.status}`);
    return t.json();
  });
function m(e, t = {}, ...n) {
  let o = Object.assign(document.createElement(e), t);
  return (o.append(...n), o);
}
function qt(e) {
  let t = document.createDocumentFragment();
  for (let n of new DOMParser().parseFromString(e, "text/html").body.childNodes) {
    let o = n.textContent ?? "";
    t.append(n.nodeName === "MARK" ? m("mark", { textContent: o }) : o);
  }
  return t;
}
function te(e) {
  let t = new URL(e.route.replace(/^\/+/, ""), Yt).href,
    n = m("p", { className: "result-place" }, new URL(t).pathname);
  if (e.date !== "") {
    let o = new Intl.DateTimeFormat(document.documentElement.lang || "en", {
      dateStyle: "medium",
      timeZone: "UTC",
    });
    n.append(m("time", { dateTime: e.date }, o.format(new Date(e.date))));
  }
  return m(
    "li",
    { className: "result search-result" },
    m("h2", {}, m("a", { href: t, textContent: e.title })),
    n,
    m("p", {}, qt(e.excerpt)),
  );
}
function ee() {
  let e = document.querySelector("main") ?? document.body,
    t = (r, s, a) => e.querySelector(`[data-search-${r}]`) ?? e.querySelector(s) ?? a(),
    n = t("results", "ol.results, #search-results", () => {
      let r = m("ol", { className: "results" });
      return (e.append(r), r);
    }),
    o = t("count", ".search-count, #search-status", () => {
      let r = m("p", { className: "search-count" });
      return (n.before(r), r);
    });
  return (o.setAttribute("role", "status"), { list: n, count: o });
}
function ne(e, t, { dataset: n }) {
  let [o, r] =
    e === 0
      ? ["none", "Nothing found for “{q}”"]
      : e === 1
        ? ["one", "1 result for “{q}”"]
        : ["many", "{n} results for “{q}”"];
  return (n[o] ?? r).replace("{n}", String(e)).replace("{q}", () => t);
}
function L(e, t, n) {
  let o = new URLSearchParams(e);
  return (t(o), m("a", { ...n, href: `?${o}` }));
}
function oe(e, t, { dataset: n }) {
  let o = Object.entries(e).filter(([, s]) => Object.keys(s).length > 0),
    r = m("nav", { className: "facets", ariaLabel: n.narrow ?? "Narrow down" });
  for (let [s, a] of o) {
    let i = m("ul");
    for (let [l, c] of Object.entries(a)) {
      let f = `facet[${s}]`,
        u = t.getAll(f).includes(l),
        h = L(
          t,
          (b) => {
            let M = b.getAll(f).filter((T) => T !== l);
            (b.delete(f), b.delete("offset"));
            for (let T of u ? M : [...M, l]) b.append(f, T);
          },
          { rel: "nofollow" },
        );
      (u && h.setAttribute("aria-current", "true"),
        h.append(
          m("span", { textContent: l }),
          " ",
          m("span", { className: "count", textContent: String(c) }),
        ),
        i.append(m("li", {}, h)));
    }
    r.append(m("section", {}, m("h2", { textContent: s.split(".").at(-1) }), i));
  }
  return o.length === 0 ? null : r;
}
function re(e, { hasMore: t, params: n, dataset: o }) {
  if (e.offset === 0 && !t) return null;
  let r = (a) => (i) => {
      a === 0 ? i.delete("offset") : i.set("offset", String(a));
    },
    s = Math.max(0, e.offset - e.limit);
  return m(
    "nav",
    { className: "pagination", ariaLabel: o.pages ?? "Pages" },
    e.offset > 0 ? L(n, r(s), { rel: "prev", textContent: o.previous ?? "Previous" }) : m("span"),
    t
      ? L(n, r(e.offset + e.limit), {
          rel: "next",
          textContent: o.next ?? "Next",
        })
      : m("span"),
  );
}
function se(e, t, { params: n, list: o, count: r }) {
  (o.replaceChildren(...t.items.map(te)),
    "start" in o && (o.start = e.offset + 1),
    (r.textContent = e.text === "" ? "" : ne(t.total, e.text, o)));
  let s = e.text === "" ? null : oe(t.facets, n, o),
    a = o.closest(".search-body");
  (s !== null && (a ?? o.parentElement).prepend(s), a?.classList.toggle("has-facets", s !== null));
  let i = re(e, { hasMore: t.hasMore, params: n, dataset: o.dataset });
  i !== null && o.after(i);
}
async function ae() {
  let e = new URLSearchParams(location.search),
    { list: t, count: n } = ee(),
    o = document.querySelector('main input[name="q"]');
  o && (o.value = e.get("q") ?? "");
  try {
    let r = t.dataset.lang ?? null,
      s = { ...st(e, await at.head()), lang: r };
    se(s, await at.search(s), { params: e, list: t, count: n });
  } catch (r) {
    throw ((n.textContent = t.dataset.failed ?? "Search is not available at the moment."), r);
  }
}
await ae();
