/* Generated from plugins/search/client by scripts/browser-search.mjs. */
/* oxlint-disable */
// plugins/search/client/utf8-length.js
function h(e) {
  return new TextEncoder().encode(e).length;
}

// plugins/search/query/score.ts
var x = { title: 3, taxonomy: 2, body: 1, exactTitle: 5 }, At = 1.5, B = 1e3;
function z(e) {
  let t = new Map(Object.entries(e).map(([r, s]) => [r, s.weight])), n = (r, s) => Math.round((t.get(r) ?? s) * B), o = n("title", x.title);
  return {
    title: o,
    taxonomy: n("taxonomy", x.taxonomy),
    body: n("body", x.body),
    exactTitle: Math.round(o * x.exactTitle / x.title),
    field: (r) => n(r, 1),
    configured: Object.fromEntries([...t.keys()].map((r) => [r, n(r, 1)]))
  };
}
function Ot(e, t) {
  return (t ? e * At : e) / B;
}
function X(e, t, n) {
  let o = t ? n.exactTitle : 0;
  for (let r of e) r && (o += Pt(r, n));
  return Ot(o, e.length > 1 && e.every((r) => r !== null));
}
function Pt(e, t) {
  return Ft(e, t).reduce((n, o) => n + o.points, 0);
}
function Ft(e, t) {
  let n = Math.min(e.body, 5);
  return [
    { field: "title", count: e.title ? 1 : 0, points: e.title ? t.title : 0 },
    { field: "taxonomy", count: e.taxonomy, points: e.taxonomy * t.taxonomy },
    { field: "body", count: e.body, points: n * t.body },
    ...e.fields.map((r) => ({ field: r, count: 1, points: t.field(r) }))
  ].filter((r) => r.count > 0);
}

// plugins/search/query/select.ts
function G(e, t) {
  let n = jt(t), o = new Map(t.facets.map((i) => [i, /* @__PURE__ */ new Map()])), r = [];
  for (let i of e) {
    if (i.score === 0 && t.terms.length > 0) continue;
    let a = n.filter((c) => !c.passes(i.document));
    a.length === 0 && r.push(i), Lt(o, i.document, a);
  }
  r.sort(t.sort === "date" || t.terms.length === 0 ? Et : It);
  let s = r.slice(t.offset, t.offset + t.limit);
  return {
    total: r.length,
    hits: s.map(({ document: i, score: a }) => ({ route: i.route, score: a })),
    facets: Nt(o)
  };
}
function v(e, t) {
  let [n, o] = [e.date ?? "", t.date ?? ""];
  return n !== o ? n < o ? 1 : -1 : e.route < t.route ? -1 : e.route > t.route ? 1 : 0;
}
function Et(e, t) {
  return v(e.document, t.document);
}
function It(e, t) {
  return t.score - e.score || v(e.document, t.document);
}
function jt(e) {
  let { template: t, from: n, to: o, taxonomy: r, facets: s } = e.filters, i = new Set(e.access), a = [{ facet: null, passes: (l) => i.has(l.access) }], c = (l, u = null) => {
    a.push({ facet: u, passes: l });
  };
  e.lang !== null && c((l) => l.lang === e.lang || l.lang === ""), t !== void 0 && c((l) => l.template === t), n !== void 0 && c((l) => l.date !== null && l.date >= n), o !== void 0 && c((l) => l.date !== null && l.date <= o);
  for (let [l, u] of Object.entries(r))
    c((d) => N(d.taxonomy, l).some((f) => u.includes(f)));
  for (let [l, u] of Object.entries(s))
    c((d) => N(d.facets, l).some((f) => u.includes(f)), l);
  return a;
}
function Lt(e, t, n) {
  let o = n[0];
  if (!(n.length > 1 || o && o.facet === null)) {
    for (let [r, s] of e)
      if (!(o && o.facet !== r))
        for (let i of new Set(N(t.facets, r)))
          s.set(i, (s.get(i) ?? 0) + 1);
  }
}
function N(e, t) {
  return Object.hasOwn(e, t) ? e[t] ?? [] : [];
}
function Nt(e) {
  return Object.fromEntries(
    [...e].map(([t, n]) => [t, kt([...n])])
  );
}
function kt(e) {
  return e.sort((t, n) => n[1] - t[1] || (t[0] < n[0] ? -1 : 1)), Object.fromEntries(e);
}

// plugins/search/query/terms.ts
var Ht = new RegExp(
  [
    "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f",
    "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
    "\\u0610-\\u061a\\u064b-\\u065f\\u0670]"
  ].join(""),
  "gu"
), Wt = /[ßøæœłđðþıς]/gu, Dt = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ"
}, _t = /[\s\p{Cc}\p{Cf}\p{Cs}]/gu, $t = /^[^\p{L}\p{N}]+/u, Bt = /^[\p{L}\p{N}\p{M}]$/u, zt = /^[!-~]*$/, U = /\S+/gu;
function b(e) {
  if (zt.test(e)) return Q(C(e.toLowerCase()));
  let t = e.normalize("NFKD").toLowerCase().replace(Ht, "").replace(Wt, (n) => Dt[n] ?? n).normalize("NFC").replace(_t, "");
  return Q(C(t));
}
function C(e) {
  if (k(e.charCodeAt(0)) && k(e.charCodeAt(e.length - 1))) return e;
  let t = e.replace($t, ""), n = t.length;
  for (; n > 0 && !Xt(t, n); ) n -= 1;
  return n === t.length ? t : t.slice(0, n);
}
function Xt(e, t) {
  let n = e.charCodeAt(t - 1);
  if (n < 128) return k(n);
  let o = n >= 56320 && n <= 57343;
  return Bt.test(o ? e.slice(Math.max(0, t - 2), t) : e.charAt(t - 1));
}
function k(e) {
  let t = e | 32;
  return e >= 48 && e <= 57 || t >= 97 && t <= 122;
}
function Q(e) {
  if (e.length <= 64) return e;
  let t = e.slice(0, 64), n = t.charCodeAt(63);
  return n >= 55296 && n <= 56319 ? t.slice(0, -1) : t;
}
function H(e) {
  if (e.length !== 2) return e.length > 2;
  let t = e.charCodeAt(0);
  return t < 55296 || t > 56319;
}
function S(e) {
  let t = [];
  for (let n of e.match(U) ?? []) {
    let o = b(n);
    H(o) && t.push(o);
  }
  return t;
}
function M(e) {
  return [...new Set(S(e.slice(0, 256)))].slice(0, 16);
}
function Y(e) {
  let t = [];
  for (let n of e.match(U) ?? []) {
    let o = b(n);
    o !== "" && t.push(o);
  }
  return t.join(" ");
}

// plugins/search/query/find-matches.ts
var K = 1e5, A = /[^\0-\x7f]/g, Z = /\s/u;
function O(e, t) {
  if (t.length === 0) return [];
  let n = e.length > K ? e.slice(0, K) : e, o = n.toLowerCase(), r = [], s = o.length === n.length ? Gt : Qt;
  t.forEach((a, c) => s({ text: n, lower: o }, { term: a, at: c }, r));
  let i = h(n) === n.length;
  return i || Ut(n, t, r), i && t.length === 1 ? r : Yt(r);
}
function Gt({ text: e, lower: t }, { term: n, at: o }, r) {
  let s = t.indexOf(n);
  for (; s >= 0; ) {
    let i = s + 1;
    if (Kt(e, s)) {
      let a = J(e, s);
      W(r, e, { start: s, end: a, term: o }), i = Math.max(i, a);
    }
    s = t.indexOf(n, i);
  }
}
function Qt({ text: e }, { term: t, at: n }, o) {
  for (let { index: r, 0: s } of e.matchAll(/\S+/gu)) {
    let i = { start: r, end: r + s.length, term: n };
    b(s).startsWith(t) && W(o, e, i);
  }
}
function Ut(e, t, n) {
  A.lastIndex = 0;
  let o = 0;
  for (let r = A.exec(e); r; r = A.exec(e)) {
    if (r.index < o || Z.test(r[0])) continue;
    let [s, i] = [Vt(e, r.index), J(e, r.index)];
    o = i, A.lastIndex = Math.max(o, r.index + 1);
    let a = b(e.slice(s, i)), c = H(a) ? t.findIndex((l) => a.startsWith(l)) : -1;
    c >= 0 && W(n, e, { start: s, end: i, term: c });
  }
}
function W(e, t, n) {
  if (V(t, n.start) && V(t, n.end - 1)) {
    e.push(n);
    return;
  }
  let o = t.slice(n.start, n.end), r = C(o), s = n.start + o.indexOf(r);
  r !== "" && e.push({ start: s, end: s + r.length, term: n.term });
}
function Yt(e) {
  e.sort((o, r) => o.start - r.start || o.term - r.term);
  let [t, n] = [0, -1];
  for (let o of e)
    o.start !== n && (e[t++] = o), n = o.start;
  return e.length = t, e;
}
function Kt(e, t) {
  let n = t - 1;
  for (; n >= 0 && Zt(e.charCodeAt(n)); ) n -= 1;
  return n < 0 || y(e, n);
}
function Vt(e, t) {
  let n = t;
  for (; n > 0 && !y(e, n - 1); ) n -= 1;
  return n;
}
function J(e, t) {
  let n = t;
  for (; n < e.length && !y(e, n); ) n += 1;
  return n;
}
function y(e, t) {
  let n = e.charCodeAt(t);
  return n < 128 ? n === 32 || n >= 9 && n <= 13 : Z.test(e.charAt(t));
}
function Zt(e) {
  return e > 32 && e <= 126 && !q(e);
}
function V(e, t) {
  return q(e.charCodeAt(t));
}
function q(e) {
  let t = e | 32;
  return e >= 48 && e <= 57 || t >= 97 && t <= 122;
}

// plugins/search/query/excerpt.ts
var Jt = 20, tt = 40, qt = /[&<>"']/gu, et = /[&<>"']|\s{2,}|[^\S ]/u, te = new RegExp(et, "gu"), nt = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
};
function ee(e) {
  return e.replace(qt, (t) => nt[t] ?? t);
}
function P(e, t) {
  let n = O(e, t.terms), o = re(e, ne(n, t.length), t.length), r = t.highlight ? n.filter((a) => a.start >= o.start && a.end <= o.end) : [], s = (o.start > 0 ? "…" : "") + ae(e, o, r) + (o.end < e.length ? "…" : ""), i = /* @__PURE__ */ new Set();
  for (let a of n) {
    if (i.size === Jt) break;
    i.add(e.slice(a.start, a.end));
  }
  return { html: s, highlights: Array.from(i, ee) };
}
function ne(e, t) {
  let [n, o, r, s, i] = [0, -1, 0, 0, 0], a = [];
  for (let c = 0; c < e.length; c++) {
    let { term: l, end: u } = e[c];
    for ((a[l] = (a[l] ?? 0) + 1) === 1 && (i += 1); s < c && u - e[s].start > t; ) {
      let f = e[s++].term;
      (a[f] = a[f] - 1) === 0 && (i -= 1);
    }
    let d = i * e.length + (c - s + 1);
    d > r && ([n, o, r] = [s, c, d]);
  }
  return oe(e, { first: n, last: o });
}
function oe(e, t) {
  let [n, o] = [e[t.first], e[t.last]];
  return n && o ? { first: n.start, last: o.end } : null;
}
function re(e, t, n) {
  if (e.length <= n) return { start: 0, end: e.length };
  let o = t ? Math.max(0, n - (t.last - t.first)) : 0, r = t ? Math.max(0, t.first - Math.floor(o / 2)) : 0, s = Math.min(r, e.length - n), i = s === 0 ? 0 : se(e, s, t ? t.first : s), a = Math.min(e.length, i + n);
  return { start: i, end: a === e.length ? a : ie(e, a, t ? t.last : i) };
}
function se(e, t, n) {
  if (y(e, t - 1)) return t;
  for (let o = t; o < Math.min(n, t + tt); o++)
    if (y(e, o)) return o + 1;
  return ot(e, t) ? t + 1 : t;
}
function ie(e, t, n) {
  if (y(e, t)) return t;
  for (let o = t - 1; o >= Math.max(n, t - tt); o--)
    if (y(e, o)) return o;
  return ot(e, t) ? t - 1 : t;
}
function ot(e, t) {
  let n = e.charCodeAt(t);
  return n >= 56320 && n <= 57343;
}
function ae(e, t, n) {
  let o = e.slice(t.start, t.end), r = et.test(o) ? le : ce, s = "", i = 0;
  for (let a of n) {
    let [c, l] = [a.start - t.start, a.end - t.start];
    s += `${r(o.slice(i, c))}<mark>${r(o.slice(c, l))}</mark>`, i = l;
  }
  return (s + r(o.slice(i))).trim();
}
function ce(e) {
  return e;
}
function le(e) {
  return e.replace(te, (t) => nt[t] ?? " ");
}

// plugins/search/client/client-results.ts
function rt(e, { offset: t, limit: n }) {
  let o = [...e].map(([r, s]) => ({ id: r, score: s })).filter(({ score: r }) => r > 0).sort((r, s) => s.score - r.score || r.id - s.id);
  return { total: o.length, facets: {}, hits: o.slice(t, t + n) };
}
function* st(e, t, n) {
  for (let [o, r] of t) {
    let s = e.get(o) ?? 0;
    if (s === 0 && !n) continue;
    let [i, a, c, l, u, d] = r;
    yield { score: s, document: { ...{ route: i, lang: a, template: c, date: l, taxonomy: u, facets: d }, title: "", fields: {}, access: "" } };
  }
}
function D(e, t) {
  let { head: n, terms: o, score: r } = t, { text: s, ...i } = e ?? ue, { highlight: a, excerptLength: c } = n, l = P(s, { terms: o, length: c, highlight: a }), u = { ...i, score: r, excerpt: l.html };
  return a ? { ...u, highlights: l.highlights } : u;
}
var ue = {
  route: "/",
  title: "",
  template: "",
  date: "",
  taxonomy: {},
  text: ""
};
function _({ template: e, from: t, to: n, taxonomy: o, facets: r }) {
  return [e, t, n].some((i) => i !== void 0) || Object.keys(o).length + Object.keys(r).length > 0;
}

// plugins/search/similar/edit-distance.ts
function it(e) {
  return e.length < 4 ? 0 : e.length < 7 ? 1 : 2;
}
function at(e, t, n) {
  if (t.length < e.length - n) return null;
  let o = e.length >= 5;
  if (!o && t.length > e.length + n) return null;
  let r = Math.min(t.length, e.length + n), s = de(e, t.slice(0, r), n);
  if (s === null) return null;
  let i = o ? Math.min(...s) : s[t.length] ?? n + 1;
  return i <= n ? i : null;
}
function de(e, t, n) {
  let o = [], r = Array.from({ length: t.length + 1 }, (s, i) => i);
  for (let s = 1; s <= e.length; s++) {
    let i = [s], a = s;
    for (let c = 1; c <= t.length; c++) {
      let l = e[s - 1] === t[c - 1], u = Math.min(
        r[c - 1] + (l ? 0 : 1),
        r[c] + 1,
        i[c - 1] + 1
      );
      s > 1 && c > 1 && e[s - 1] === t[c - 2] && e[s - 2] === t[c - 1] && (u = Math.min(u, o[c - 2] + 1)), i.push(u), u < a && (a = u);
    }
    if (a > n) return null;
    o = r, r = i;
  }
  return r;
}

// plugins/search/similar/alternatives.ts
var fe = 3, me = 4, he = 3, $ = 3, ct = 64;
async function lt(e, t) {
  let n = it(e);
  if (!t.typo || n === 0) return [];
  let [o = ""] = e, r = { prefix: o, shortest: e.length - n, longest: ct }, s = [];
  for (let i of await t.words(r)) {
    let a = at(e, i, n);
    a !== null && a > 0 && s.push({ word: i, distance: a });
  }
  return s.sort(
    (i, a) => i.distance - a.distance || i.word.length - a.word.length || (i.word < a.word ? -1 : +(i.word > a.word))
  ), s.slice(0, fe).map(({ word: i }) => ({ term: e, words: [i], matched: "typo" }));
}
function ut(e, { synonyms: t }) {
  return t.of(e).slice(0, me).map((o) => ({ term: e, words: o, matched: "synonym" }));
}
async function dt(e, t) {
  let { stem: n } = t;
  if (n === null || e.length < $) return [];
  let o = e.slice(0, $), r = n(e), a = (await t.words({ prefix: o, shortest: $, longest: ct })).filter((u) => !u.startsWith(e) && n(u) === r).sort((u, d) => u.length - d.length || (u < d ? -1 : 1));
  return a.filter(
    (u, d) => !a.slice(0, d).some((f) => u.startsWith(f))
  ).slice(0, he).map((u) => ({ term: e, words: [u], matched: "stem" }));
}

// plugins/search/similar/find-similar.ts
var ge = 4, pe = 8, ft = 500;
async function mt(e, t) {
  let n = /* @__PURE__ */ new Map(), o = /* @__PURE__ */ new Map();
  for (let s of await ye(e, t)) {
    let i = be(t.terms, s, e), a = await we(e, s, i), { term: c, words: l, matched: u } = s;
    a.length > 0 && u === "typo" && !o.has(c) && o.set(c, l.join(" "));
    for (let { route: d, score: f } of a)
      f > (n.get(d)?.score ?? 0) && !t.shown.has(d) && n.set(d, { route: d, score: f, matched: u, terms: i });
  }
  return { hits: [...n.values()].sort((s, i) => i.score - s.score || e.compare(s.route, i.route)).slice(0, t.limit), didYouMean: xe(t.text, o) };
}
async function ye(e, { terms: t, total: n }) {
  let o = [], r = t.filter((s) => !e.synonyms.isStop(s)).slice(0, ge);
  for (let s of r)
    o.push(...ut(s, e), ...await dt(s, e)), n > 0 && (t.length === 1 || (await e.find([s], 1)).total > 0) || o.push(...await lt(s, e));
  return o.slice(0, pe);
}
function be(e, { term: t, words: n }, { synonyms: o }) {
  let r = e.flatMap((s) => s === t ? n : o.isStop(s) ? [] : [s]);
  return [...new Set(r)];
}
async function we(e, { words: t }, n) {
  let { hits: o } = await e.find(n, ft);
  if (o.length === 0 || n.length === 1) return o;
  let s = (await Promise.all(t.map((i) => e.find([i], ft)))).map((i) => new Set(i.hits.map(({ route: a }) => a)));
  return o.filter(({ route: i }) => s.every((a) => a.has(i)));
}
function xe(e, t) {
  return t.size === 0 ? null : e.trim().replace(/\S+/gu, (n) => t.get(b(n)) ?? n);
}

// plugins/search/similar/synonyms.ts
var F = class {
  #t = /* @__PURE__ */ new Map();
  #e = /* @__PURE__ */ new Set();
  constructor(t) {
    for (let { groups: n, one_way: o, stop: r } of t) {
      for (let s of n) this.#s(s);
      for (let [s, i] of Object.entries(o))
        for (let a of i) this.#n(s, a);
      for (let s of r) for (let i of S(s)) this.#e.add(i);
    }
  }
  /** The synonyms of a term; one of several words is a list of terms. */
  of(t) {
    return this.#t.get(t) ?? [];
  }
  isStop(t) {
    return this.#e.has(t);
  }
  #s(t) {
    for (let n of t) for (let o of t) n !== o && this.#n(n, o);
  }
  /** Only single words are looked up; what they lead to may have several. */
  #n(t, n) {
    let [o, ...r] = S(t), s = S(n);
    if (o === void 0 || r.length > 0 || s.length === 0) return;
    let i = this.#t.get(o) ?? [];
    i.some((a) => a.join(" ") === s.join(" ")) || i.push(s), this.#t.set(o, i);
  }
};

// plugins/search/client/client-similar.ts
var Se = 10;
async function ht(e, t, n) {
  if (t.terms.length === 0 || t.offset > 0) return { similar: [], didYouMean: null };
  let { typo: o, lists: r, main: s } = e.head.similar, i = r[t.lang ?? s] ?? r[""] ?? [], a = (u) => ({ route: u, date: e.dates.get(u) ?? null }), { hits: c, didYouMean: l } = await mt(
    {
      typo: o,
      stem: null,
      synonyms: new F(i),
      find: (u, d) => e.find(u, d),
      words: (u) => e.words(u),
      compare: (u, d) => v(a(u), a(d))
    },
    {
      text: t.text,
      terms: t.terms,
      total: n.total,
      shown: new Set(n.items.map(({ route: u }) => u)),
      limit: Math.min(t.limit, Se)
    }
  );
  return { similar: await Promise.all(c.map((u) => e.item(u))), didYouMean: l };
}

// plugins/search/client/matches.ts
function yt(e, t, n) {
  for (let [o, r, s, i, a] of t.terms)
    if (o.startsWith(n)) {
      pt(r, (c, l) => {
        R(e, c).body += l;
      }), gt(s, (c) => {
        R(e, c).title = !0;
      }), pt(i, (c, l) => {
        R(e, c).values.add(l);
      });
      for (let [c, l] of a)
        gt(l, (u) => {
          R(e, u).fields.add(c);
        });
    }
}
function bt(e, { id: t, terms: n }, o) {
  for (let [r, s, i, a, c] of n) {
    if (!r.startsWith(o)) continue;
    let l = R(e, t);
    l.body += s, l.title ||= i === 1, E(l.values, a), E(l.fields, c);
  }
}
function R(e, t) {
  let n = e.get(t);
  if (n !== void 0) return n;
  let o = { title: !1, values: /* @__PURE__ */ new Set(), body: 0, fields: /* @__PURE__ */ new Set() };
  return e.set(t, o), o;
}
function wt(e, t) {
  if (e === void 0) return null;
  let { title: n, values: o, body: r, fields: s } = e;
  return { title: n, taxonomy: o.size, body: r, fields: [...s].map((i) => t[i] ?? "") };
}
function E(e, t) {
  for (let n of t) e.add(n);
}
function gt(e, t) {
  let n = 0;
  for (let o of e) t(n += o);
}
function pt(e, t) {
  let n = 0;
  for (let o = 0; o + 1 < e.length; o += 2)
    n += e[o] ?? 0, t(n, e[o + 1] ?? 0);
}

// plugins/search/client/client-search.ts
var I = class {
  #t;
  #e = /* @__PURE__ */ new Map();
  constructor(t) {
    this.#t = t;
  }
  /** The head of the index: page size, facets. */
  head() {
    return this.#o("index.json");
  }
  async search(t) {
    let n = await this.head(), o = M(t.text), r = o.length === 0 && _(t.filters);
    if (o.length === 0 && !r)
      return { total: 0, items: [], facets: {}, hasMore: !1 };
    let s = await this.#i(n, t.text, o), a = !_(t.filters) && t.sort === "relevance" && t.lang === null && n.facets.length === 0 ? rt(s, t) : await this.#n(n, s, { ...t, terms: o, isBrowsing: r }), c = await Promise.all(
      a.hits.map(
        async ({ id: d, score: f }) => D(await this.#l(n, d), { head: n, terms: o, score: f })
      )
    ), { total: l, facets: u } = a;
    return { total: l, items: c, facets: u, hasMore: t.offset + t.limit < l };
  }
  /** Similar hits beside the exact ones of the same request, as on the server; without stems. */
  async similar(t, n) {
    let o = await this.head(), r = await this.#c(o), s = new Map([...r].map(([c, l]) => [l[0], c])), i = new Map([...r.values()].map(([c, , , l]) => [c, l])), a = M(t.text);
    return ht(
      {
        head: o,
        dates: i,
        words: (c) => this.#s(o, c),
        find: async (c, l) => {
          let u = await this.#i(o, c.join(" "), c), d = { ...t, terms: c, limit: l, isBrowsing: !1 }, f = await this.#n(o, u, { ...d, sort: "relevance" }), g = f.hits.map(({ id: p, score: w }) => ({
            route: r.get(p)?.[0] ?? "",
            score: w
          }));
          return { total: f.total, hits: g };
        },
        item: async ({ route: c, score: l, terms: u, matched: d }) => {
          let f = await this.#l(o, s.get(c) ?? -1);
          return { ...D(f, { head: o, terms: u, score: l }), matched: d };
        }
      },
      { ...t, terms: a },
      n
    );
  }
  async #s(t, { prefix: n, shortest: o, longest: r }) {
    let s = await this.#a(t, n), i = await this.#r(t), a = [...s, ...i].flatMap(({ terms: l }) => l.map(([u]) => u)), c = (l) => l.startsWith(n) && l.length >= o && l.length <= r;
    return [...new Set(a.filter(c))];
  }
  /** Applies the server's rules for filters and facets, which need every document. */
  async #n(t, n, o) {
    let r = await this.#c(t), { total: s, hits: i, facets: a } = G(
      st(n, r, o.isBrowsing),
      { ...o, access: [""], facets: t.facets }
    ), c = new Map([...r].map(([u, d]) => [d[0], u])), l = i.map(({ route: u, score: d }) => ({ id: c.get(u) ?? -1, score: d }));
    return { total: s, facets: a ?? {}, hits: l };
  }
  async #i(t, n, o) {
    let r = z(t.weights), s = await this.#r(t), i = new Set(t.removed), a = Y(n), c = /* @__PURE__ */ new Set(), l = await Promise.all(
      o.map(async (d) => {
        let f = /* @__PURE__ */ new Map();
        for (let g of await this.#a(t, d)) {
          yt(f, g, d);
          for (let [p, w] of g.titles) p === a && E(c, w);
        }
        for (let g of i) f.delete(g);
        for (let g of s) bt(f, g, d);
        return f;
      })
    );
    for (let d of i) c.delete(d);
    for (let { id: d, title: f } of s) f === a && c.add(d);
    let u = /* @__PURE__ */ new Map();
    for (let d of new Set(l.flatMap((f) => [...f.keys()]))) {
      let f = l.map((g) => wt(g.get(d), t.fields));
      u.set(d, X(f, c.has(d), r));
    }
    return u;
  }
  /** Returns the files with the words that start with a term. */
  async #a({ terms: t }, n) {
    let o = t.flatMap(([r, s], i) => {
      let a = t[i + 1]?.[0];
      return (r <= n || r.startsWith(n)) && (a === void 0 || a > n) ? [s] : [];
    });
    return Promise.all(o.map((r) => this.#o(r)));
  }
  async #c(t) {
    let { rows: n } = await this.#o(t.rows), o = new Map(n.map((r, s) => [s, r]));
    for (let r of t.removed) o.delete(r);
    for (let { id: r, row: s } of await this.#r(t)) o.set(r, s);
    return o;
  }
  async #r({ late: t }) {
    return t === null ? [] : this.#o(t);
  }
  async #l(t, n) {
    let o = (await this.#r(t)).find((a) => a.id === n);
    if (o !== void 0) return o.shown;
    let r = t.shown.findLastIndex(([a]) => a <= n), [s, i] = t.shown[r] ?? [0, ""];
    return (await this.#o(i))[n - s];
  }
  /** The export writes this file beside the script, in the shape that `format.ts` defines. */
  async #o(t) {
    let n = this.#e.get(t) ?? this.#t(t);
    this.#e.set(t, n);
    try {
      return await n;
    } catch (o) {
      throw this.#e.delete(t), o;
    }
  }
};

// plugins/search/client/page-sections.js
var Me = 3, Re = 3, Te = 90, xt = /* @__PURE__ */ new Map();
async function St(e, t, n) {
  let o = M(t), r = await Promise.all(
    e.slice(0, Me).map(async ({ route: s }) => [s, Oe(await ve(s, n), o)])
  );
  return Object.fromEntries(r.filter(([, s]) => s.length > 0));
}
function ve(e, t) {
  let n = xt.get(e) ?? Ce(new URL(e.replace(/^\/+/, ""), t));
  return xt.set(e, n), n;
}
async function Ce(e) {
  let t = await fetch(e).catch(() => null);
  return t?.ok !== !0 ? [] : [...new DOMParser().parseFromString(await t.text(), "text/html").querySelector("main")?.querySelectorAll("h2[id], h3[id], h4[id]") ?? []].map((r) => ({
    id: r.id,
    title: r.textContent.trim(),
    text: Ae(r)
  }));
}
function Ae(e) {
  let t = "";
  for (let n = e.nextElementSibling; n !== null && !/^H[1-6]$/.test(n.nodeName); n = n.nextElementSibling)
    t += ` ${n.textContent}`;
  return t.replace(/\s+/g, " ").trim();
}
function Oe(e, t) {
  let n = (o) => new Set(O(o, t).map(({ term: r }) => r)).size;
  return e.map(({ id: o, title: r, text: s }, i) => {
    let a = P(s, { terms: t, length: Te, highlight: !0 }).html;
    return { worth: n(r) * 2 + n(s), at: i, hit: { id: o, title: r, excerpt: a } };
  }).filter(({ worth: o }) => o > 0).sort((o, r) => r.worth - o.worth || o.at - r.at).slice(0, Re).map(({ hit: o }) => o);
}

// plugins/search/client/read-request.js
function Rt(e, t) {
  let n = t.facets.includes("subtype"), o = Pe(e, t.facets), r = e.get("type") ?? "";
  return n && r !== "" && r !== "all" && (o.subtype = [r]), {
    text: e.get("q") ?? "",
    filters: { taxonomy: Fe(e), facets: o },
    sort: n && e.get("sort") === "date" ? "date" : "relevance",
    limit: Math.min(500, Mt(e.get("limit"), 1) ?? t.pageSize),
    offset: Mt(e.get("offset"), 0) ?? 0
  };
}
function Mt(e, t) {
  return /^\d{1,7}$/.test(e ?? "") && Number(e) >= t ? Number(e) : null;
}
function Pe(e, t) {
  let n = t.map((o) => {
    let r = [...e.getAll(`facet[${o}]`), ...e.getAll(`facet[${o}][]`)];
    return [o, r.filter((s) => s !== "")];
  });
  return Object.fromEntries(n.filter(([, o]) => o.length > 0));
}
function Fe(e) {
  let t = {};
  for (let [n, o] of e) {
    let r = /^taxonomy\[([^\]]+)\](?:\[\])?$/.exec(n)?.[1];
    r !== void 0 && o !== "" && (t[r] = [...t[r] ?? [], o]);
  }
  return t;
}

// plugins/search/client/search-page.js
var Tt = new URL("./", import.meta.url), vt = new URL("../../", Tt), T = new I(async (e) => {
  let t = await fetch(new URL(e, Tt));
  if (!t.ok) throw new Error(`${e}: ${t.status}`);
  return t.json();
});
function m(e, t = {}, ...n) {
  let o = Object.assign(document.createElement(e), t);
  return o.append(...n), o;
}
function Ee(e) {
  let t = document.createDocumentFragment();
  for (let n of new DOMParser().parseFromString(e, "text/html").body.childNodes) {
    let o = n.textContent ?? "";
    t.append(n.nodeName === "MARK" ? m("mark", { textContent: o }) : o);
  }
  return t;
}
function Ct(e) {
  let t = new URL(e.route.replace(/^\/+/, ""), vt).href, n = m("p", { className: "result-place" }, new URL(t).pathname);
  if (e.date !== "") {
    let o = new Intl.DateTimeFormat(document.documentElement.lang || "en", {
      dateStyle: "medium",
      timeZone: "UTC"
    });
    n.append(m("time", { dateTime: e.date }, o.format(new Date(e.date))));
  }
  return m(
    "li",
    { className: "result search-result" },
    m("h2", {}, m("a", { href: t, textContent: e.title })),
    n,
    m("p", {}, Ee(e.excerpt))
  );
}
function Ie() {
  let e = document.querySelector("main") ?? document.body, t = (r, s, i) => e.querySelector(`[data-search-${r}]`) ?? e.querySelector(s) ?? i(), n = t("results", "ol.results, #search-results", () => {
    let r = m("ol", { className: "results" });
    return e.append(r), r;
  }), o = t("count", ".search-count, #search-status", () => {
    let r = m("p", { className: "search-count" });
    return n.before(r), r;
  });
  return o.setAttribute("role", "status"), { list: n, count: o };
}
function je(e, t, { dataset: n }) {
  let [o, r] = e === 0 ? ["none", "Nothing found for “{q}”"] : e === 1 ? ["one", "1 result for “{q}”"] : ["many", "{n} results for “{q}”"];
  return (n[o] ?? r).replace("{n}", String(e)).replace("{q}", () => t);
}
function j(e, t, n) {
  let o = new URLSearchParams(e);
  return t(o), m("a", { ...n, href: `?${o}` });
}
function Le(e, t, { dataset: n }) {
  let o = Object.entries(e).filter(([, s]) => Object.keys(s).length > 0), r = m("nav", { className: "facets", ariaLabel: n.narrow ?? "Narrow down" });
  for (let [s, i] of o) {
    let a = m("ul");
    for (let [c, l] of Object.entries(i)) {
      let u = `facet[${s}]`, d = t.getAll(u).includes(c), g = j(t, (p) => {
        let w = p.getAll(u).filter((L) => L !== c);
        p.delete(u), p.delete("offset");
        for (let L of d ? w : [...w, c]) p.append(u, L);
      }, { rel: "nofollow" });
      d && g.setAttribute("aria-current", "true"), g.append(
        m("span", { textContent: c }),
        " ",
        m("span", { className: "count", textContent: String(l) })
      ), a.append(m("li", {}, g));
    }
    r.append(
      m("section", {}, m("h2", { textContent: s.split(".").at(-1) }), a)
    );
  }
  return o.length === 0 ? null : r;
}
function Ne(e, { hasMore: t, params: n, dataset: o }) {
  if (e.offset === 0 && !t) return null;
  let r = (i) => (a) => {
    i === 0 ? a.delete("offset") : a.set("offset", String(i));
  }, s = Math.max(0, e.offset - e.limit);
  return m(
    "nav",
    { className: "pagination", ariaLabel: o.pages ?? "Pages" },
    e.offset > 0 ? j(n, r(s), { rel: "prev", textContent: o.previous ?? "Previous" }) : m("span"),
    t ? j(n, r(e.offset + e.limit), {
      rel: "next",
      textContent: o.next ?? "Next"
    }) : m("span")
  );
}
function ke(e, t, { params: n, list: o, count: r }) {
  o.replaceChildren(...t.items.map(Ct)), "start" in o && (o.start = e.offset + 1), r.textContent = e.text === "" ? "" : je(t.total, e.text, o);
  let s = e.text === "" ? null : Le(t.facets, n, o), i = o.closest(".search-body");
  s !== null && (i ?? o.parentElement).prepend(s), i?.classList.toggle("has-facets", s !== null);
  let a = Ne(e, { hasMore: t.hasMore, params: n, dataset: o.dataset });
  a !== null && o.after(a);
}
function He({ similar: e, didYouMean: t }, { list: n, params: o }) {
  let { dataset: r } = n;
  if (t !== null) {
    let c = r.meant ?? "Did you mean:", l = (u) => u.set("q", t);
    n.before(
      m(
        "p",
        { className: "search-meant" },
        `${c} `,
        j(o, l, { textContent: t })
      )
    );
  }
  if (e.length === 0) return;
  let s = m("h2", {
    textContent: r.similar ?? "Similar words",
    id: "search-similar"
  }), i = m("ol", { className: "results" }, ...e.map(Ct)), a = m("section", { className: "search-similar" }, s, i);
  a.setAttribute("aria-labelledby", "search-similar"), n.parentElement.append(a);
}
async function We() {
  let e = new URLSearchParams(location.search), { list: t, count: n } = Ie(), o = document.querySelector('main input[name="q"]');
  o && (o.value = e.get("q") ?? "");
  try {
    let r = t.dataset.lang ?? null, s = { ...Rt(e, await T.head()), lang: r }, i = await T.search(s);
    ke(s, i, { params: e, list: t, count: n }), He(await T.similar(s, i), { list: t, params: e });
  } catch (r) {
    throw n.textContent = t.dataset.failed ?? "Search is not available at the moment.", r;
  }
}
async function _n(e, t) {
  let o = { text: e, filters: { taxonomy: {}, facets: {} }, sort: "relevance", limit: 8, offset: 0, lang: t }, r = await T.search(o), [s, i] = await Promise.all([
    T.similar(o, r),
    St(r.items, e, vt)
  ]);
  return { ...r, ...s, sections: i };
}
var De = [...document.querySelectorAll("script[src]")].some(
  ({ src: e }) => e === import.meta.url
);
De && await We();
export {
  _n as find
};
