"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const { goals, tests, executions, vars, values, labels, groups, files, noun } = data;
  const shows = tests.concat(executions);
  const [verb, not] = noun === "mutant" ? ["kills", "does not kill"] : ["covers", "does not cover"];
  document.documentElement.classList.add("scripted");

  /** An element. Text is only ever text: nothing from the data is read as HTML. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }
  /** Text in which `this` is code. */
  const prose = (text) => text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));
  const option = (value, text) => make("option", { value }, text);
  const plural = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

  // Which test reaches which goal, a bit each.
  function decoded(text) {
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
    return bytes;
  }
  const kills = tests.map((test) => decoded(test.kills));
  const reaches = (test, goal) => (kills[test][goal >> 3] >> (goal & 7)) & 1;
  // For each goal the number of tests, and for each test the number of goals: only bits that are set are visited.
  const killers = new Uint32Array(goals.length), totals = new Uint32Array(tests.length);
  kills.forEach((bytes, test) => {
    for (let at = 0; at < bytes.length; at++) {
      for (let bits = bytes[at]; bits; bits &= bits - 1) {
        killers[at * 8 + 31 - Math.clz32(bits & -bits)]++;
        totals[test]++;
      }
    }
  });

  /* Tables that can be sorted. */
  for (const table of document.querySelectorAll("table.sortable")) {
    table.querySelectorAll("thead th:not(.plain)").forEach((head) => {
      const column = [...head.parentNode.children].indexOf(head);
      const button = make("button", { type: "button" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const key = (row) => row.cells[column].textContent;
        const rows = [...body.rows].sort((a, b) => key(a).localeCompare(key(b), "en", { numeric: true }));
        body.append(...(down ? rows.reverse() : rows));
      });
    });
  }

  for (const button of document.querySelectorAll("button.expand")) {
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", open);
      button.textContent = open ? "close all lines" : "open all lines";
      for (const line of button.closest("section").querySelectorAll("details.line")) line.open = open;
    });
  }

  // Results without a suite may have nothing but tables.
  if (!byId("trace")) return;

  /* The trace of a test. */
  const WINDOW = 60; // number of states that are shown at once
  let shown = 0, step = 0, timer = null;
  const select = byId("test");
  shows.forEach((test, index) => select.append(option(index, `${index + 1}. ${test.name}`)));

  function showTest(test, at = 0) {
    shown = test;
    select.value = test;
    showStep(at);
  }

  function showStep(at) {
    const test = shows[shown];
    if (!test) return;
    step = Math.max(0, Math.min(at, test.states.length - 1));
    const back = test.loop !== null && step === test.states.length - 1 ? `, then again from ${test.loop + 1}` : "";
    const left = test.departure !== null && step >= test.departure ? "; a correct implementation does not reach this state" : "";
    const note = test.notes[step] ? `: ${test.notes[step]}` : "";
    const after = step === 0 ? "" : `, after step ${step}`;
    const place = `${test.name}: state ${step + 1} of ${test.states.length}${after}${back}${left}`;
    byId("step").replaceChildren(place, ...prose(note));
    byId("timeline").replaceChildren(byId("view").value === "sequence" ? sequence(test) : timeline(test));
    reveal(byId("timeline"));
    byId("news").replaceChildren(...news(test));
  }

  /** Scrolls the timeline, and nothing else, to the state. */
  function reveal(box) {
    const item = box.querySelector("li.here");
    if (item) {
      const [top, bottom] = [item.offsetTop - 40, item.offsetTop + item.offsetHeight - box.clientHeight];
      box.scrollTop = Math.min(top, Math.max(bottom, box.scrollTop));
      return;
    }
    const here = box.querySelector("thead .here"), names = box.querySelector("thead th").offsetWidth;
    const [left, right] = [here.offsetLeft - names, here.offsetLeft + here.offsetWidth - box.clientWidth];
    box.scrollLeft = Math.min(left, Math.max(right, box.scrollLeft));
  }

  /** The states that are shown at once. */
  function visible(test) {
    const n = test.states.length;
    const from = Math.max(0, Math.min(step - (WINDOW >> 1), n - WINDOW));
    return Array.from({ length: Math.min(n, from + WINDOW) - from }, (_, index) => from + index);
  }

  /** The output that is wrong in a state, if it is this one. */
  const wrongOutput = (test, at, variable) =>
    at === test.verdict?.step ? test.verdict.differences?.find((other) => other.variable === variable.name) : undefined;
  const expectedAndActual = (wrong) =>
    [make("ins", { title: "expected" }, wrong.expected), " ", make("del", { title: "actual" }, wrong.actual)];

  /** The messages between tester and system: what has changed of the inputs of a step, and of the outputs after it. */
  function sequence(test) {
    const value = (at, index) => (at >= 0 && test.states[at][index] >= 0 ? values[test.states[at][index]] : null);
    const message = (at, isInput) => {
      const parts = [];
      vars.forEach((variable, index) => {
        if (variable.role === "internal" || (variable.role === "input") !== isInput) return;
        const sent = at - (variable.is_leaving ? 1 : 0);
        const wrong = wrongOutput(test, at, variable);
        if (value(sent, index) === null || (!wrong && value(sent, index) === value(sent - 1, index))) return;
        if (parts.length) parts.push(", ");
        parts.push(`${variable.name} = `, ...(wrong ? expectedAndActual(wrong) : [value(sent, index)]));
      });
      return parts;
    };
    const list = make("ol", {});
    for (const at of visible(test)) {
      const [inputs, outputs] = [message(at, true), message(at, false)];
      const name = `${at === 0 ? "reset" : `step ${at}`}${test.loop === at ? " ↺" : ""}`;
      const classes = [at === step && "here", test.departure !== null && at >= test.departure && "departed"];
      list.append(make("li", { class: classes.filter(Boolean).join(" "), "data-at": at, "aria-current": at === step ? "step" : null },
        make("span", { class: "number" }, name),
        make("p", { class: "send" }, ...(inputs.length || at === 0 ? inputs : [make("span", { class: "soft" }, "same inputs")])),
        make("p", { class: "answer" }, ...(outputs.length ? outputs : [make("span", { class: "soft" }, "same outputs")]))));
    }
    const ends = make("div", { class: "ends", "aria-hidden": "true" }, make("span", {}, "tester"), make("span", {}, "system"));
    return make("div", { class: "sequence" }, ends, list);
  }

  function timeline(test) {
    const n = test.states.length, columns = visible(test);
    const from = columns[0], to = from + columns.length;
    const changed = (at, variable) => at > 0 && test.states[at][variable] !== test.states[at - 1][variable];
    const head = make("tr", {}, make("th", { scope: "col" }, from > 0 ? `… ${from} before` : "state"));
    for (const at of columns) {
      const looping = test.loop !== null && at >= test.loop;
      const name = `${at + 1}${test.loop === at ? " ↺" : ""}`;
      const classes = [at === step && "here", looping && "looping", test.departure !== null && at >= test.departure && "departed"];
      head.append(make("th", { scope: "col", class: classes.filter(Boolean).join(" "), title: looping ? "in the loop" : null,
        "aria-current": at === step ? "step" : null }, name));
    }
    if (to < n) head.append(make("th", {}, `${n - to} more …`));
    const body = make("tbody");
    for (const role of ["input", "output", "internal", "variable"]) {
      const rows = vars.map((variable, index) => [variable, index]).filter(([variable]) => variable.role === role);
      const only = byId("changes").checked;
      const wanted = rows.filter(([, index]) => !only || test.states.some((_, at) => changed(at, index)));
      if (wanted.length === 0) continue;
      body.append(make("tr", { class: "role" }, make("th", { scope: "colgroup", colspan: columns.length + 1 },
        `${role}s`)));
      for (const [variable, index] of wanted) {
        const row = make("tr", {}, make("th", { scope: "row", title: variable.name }, variable.name));
        for (const at of columns) {
          const value = test.states[at][index];
          const wrong = wrongOutput(test, at, variable);
          const classes = [at === step && "here", changed(at, index) && "changed", at > step && "future", wrong && "wrong"];
          const cell = make("td", { class: classes.filter(Boolean).join(" "), "data-at": at }, value < 0 ? "" : values[value]);
          if (wrong) cell.replaceChildren(...expectedAndActual(wrong));
          row.append(cell);
        }
        body.append(row);
      }
    }
    return make("table", {}, make("thead", {}, head), body);
  }

  function news(test) {
    const entries = [];
    const list = (entry, title) => {
      if (!entry || entry[0] === 0) return;
      const items = entry[1].map((goal) => make("li", {}, link(goal), " ", ...prose(goals[goal].d)));
      if (entry[0] > items.length) items.push(make("li", {}, `… and ${entry[0] - items.length} more`));
      entries.push(make("p", {}, title(entry[0])), make("ul", {}, ...items));
    };
    list(test.news[step], (n) => `With this state it ${verb} ${plural(n, noun)}:`);
    if (test.loop !== null && step === test.states.length - 1) {
      list(test.news[test.states.length], (n) => `By its loop it ${verb} ${plural(n, noun)}:`);
    }
    const verdict = test.verdict;
    if (verdict) entries.unshift(make("p", {}, make("span", { class: `tag ${verdict.word}` }, verdict.word), " ", ...prose(verdict.message)));
    return entries;
  }

  const link = (goal) => make("a", { href: `#m${goal}`, class: "id" }, goals[goal].id);

  function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => {
      const test = shows[shown];
      if (step + 1 < test.states.length) showStep(step + 1);
      else if (test.loop !== null) showStep(test.loop);
      else play(false);
    }, 700) : null;
    byId("play").setAttribute("aria-pressed", on);
    byId("play").textContent = on ? "stop" : "play";
  }

  select.addEventListener("change", () => showTest(Number(select.value)));
  byId("first").addEventListener("click", () => showStep(0));
  byId("back").addEventListener("click", () => showStep(step - 1));
  byId("next").addEventListener("click", () => showStep(step + 1));
  byId("last").addEventListener("click", () => showStep(Infinity));
  byId("play").addEventListener("click", () => play(timer === null));
  for (const id of ["changes", "view"]) byId(id).addEventListener("change", () => showStep(step));
  byId("timeline").addEventListener("click", (event) => {
    const at = event.target.closest("[data-at]")?.dataset.at;
    if (at !== undefined) showStep(Number(at));
  });
  byId("timeline").addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: Infinity };
    if (byId("view").value === "sequence") Object.assign(keys, { ArrowUp: step - 1, ArrowDown: step + 1 });
    if (event.key === " ") play(timer === null);
    else if (event.key in keys) showStep(keys[event.key]);
    else return;
    event.preventDefault();
  });

  /** Shows the trace that a link such as #t3 leads to, if it is one. */
  function followTrace() {
    const [, number] = /^#t(\d+)$/.exec(location.hash) || [];
    if (!shows[number]) return false;
    showTest(Number(number), shows[number].verdict?.step ?? 0);
    byId("trace").scrollIntoView();
    byId("timeline").focus({ preventScroll: true });
    return true;
  }

  /** Shows the first test that failed, in the step that failed; otherwise the first one. */
  function showFirst() {
    const failed = shows.findIndex((test) => ["fail", "error"].includes(test.verdict?.word));
    showTest(Math.max(failed, 0), shows[failed]?.verdict.step ?? 0);
  }

  // An audit without a suite has executions, and no matrix.
  if (!byId("matrix")) {
    window.addEventListener("hashchange", followTrace);
    if (!followTrace()) showFirst();
    return;
  }

  /* The matrix: rows are goals, columns are tests; only what is in view is ever painted. */
  const ROW = 18, COLUMN = 16, HEAD = 26;
  const grid = byId("grid"), canvas = byId("canvas"), room = byId("room");
  const context = canvas.getContext("2d");
  let rows = goals.map((_, index) => index), columns = tests.map((_, index) => index);
  let cursor = { row: 0, column: 0 }, wanted = false;
  // The names get what the tests leave, and in any case enough to tell them apart.
  const side = () => Math.max(Math.min(320, grid.clientWidth * 0.45), grid.clientWidth - columns.length * COLUMN - 4);

  labels.forEach((label, index) => label.count && byId("status").append(option(index, label.label)));
  groups.forEach((group, index) => byId("group").append(option(index, group)));
  tests.forEach((test, index) => byId("by").append(option(index, `${index + 1}. ${test.name}`)));

  function filter() {
    const text = byId("find").value.trim().toLowerCase();
    const line = /^line:(\d+)$/.exec(text);
    const [status, group, by] = ["status", "group", "by"].map((id) => byId(id).value);
    const kept = (goal, index) =>
      (status === "" || goal.s === Number(status)) &&
      (group === "" || goal.g.includes(Number(group))) &&
      (by === "" || reaches(Number(by), index)) &&
      (line ? goal.at && goal.at[1] === Number(line[1])
        : text === "" || goal.id.toLowerCase().includes(text) || goal.d.toLowerCase().includes(text));
    rows = [];
    goals.forEach((goal, index) => { if (kept(goal, index)) rows.push(index); });
    const place = (goal) => (goals[goal].at ? goals[goal].at[0] * 1e7 + goals[goal].at[1] : Infinity);
    const keys = {
      place: (a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)),
      few: (a, b) => killers[a] - killers[b],
      many: (a, b) => killers[b] - killers[a],
      status: (a, b) => goals[a].s - goals[b].s,
      group: (a, b) => (goals[a].g[0] ?? -1) - (goals[b].g[0] ?? -1),
    };
    rows.sort((a, b) => keys[byId("sort").value](a, b) || a - b);
    columns = tests.map((_, index) => index);
    if (byId("order").value === "most") columns.sort((a, b) => totals[b] - totals[a] || a - b);
    byId("count").textContent = `${rows.length} of ${plural(goals.length, noun)}, ${plural(tests.length, "test")}`;
    cursor = { row: 0, column: 0 };
    grid.scrollTop = 0;
    layout();
  }

  function layout() {
    room.style.width = `${side() + columns.length * COLUMN}px`;
    room.style.height = `${HEAD + rows.length * ROW}px`;
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [grid.clientWidth, grid.clientHeight];
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    paint();
  }

  function paint() {
    wanted = false;
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(`--${name}`);
    const [width, height, left] = [grid.clientWidth, grid.clientHeight, side()];
    const [x, y] = [grid.scrollLeft, grid.scrollTop];
    const statuses = labels.map((label) => color(label.word));
    const [killed, card, soft, ink, focus] = ["killed", "card", "soft", "ink", "focus"].map(color);
    context.clearRect(0, 0, width, height);
    context.font = "12px ui-monospace, monospace";
    context.textBaseline = "middle";
    const firstRow = Math.floor(y / ROW), lastRow = Math.min(rows.length, Math.ceil((y + height - HEAD) / ROW));
    const firstColumn = Math.floor(x / COLUMN), lastColumn = Math.min(columns.length, Math.ceil((x + width - left) / COLUMN));
    for (let row = firstRow; row < lastRow; row++) {
      const goal = rows[row], top = HEAD + row * ROW - y;
      for (let column = firstColumn; column < lastColumn; column++) {
        context.fillStyle = reaches(columns[column], goal) ? killed : card;
        context.fillRect(left + column * COLUMN - x, top, COLUMN - 1, ROW - 1);
      }
    }
    // The names, over whatever has been scrolled below them.
    context.clearRect(0, 0, left, height);
    context.clearRect(0, 0, width, HEAD);
    for (let row = firstRow; row < lastRow; row++) {
      const goal = rows[row], top = HEAD + row * ROW - y;
      context.fillStyle = statuses[goals[goal].s];
      context.fillRect(2, top + 3, 6, ROW - 7);
      context.fillStyle = ink;
      const place = goals[goal].at ? `${goals[goal].at[1]} ` : "";
      const most = Math.floor((left - 18) / 7.3);
      const text = `${place}${goals[goal].id} ${goals[goal].d}`;
      context.fillText(text.length > most ? `${text.slice(0, most - 1)}…` : text, 12, top + ROW / 2);
    }
    context.clearRect(0, 0, width, HEAD);
    context.fillStyle = soft;
    context.fillText(`line, ${noun}`, 12, HEAD / 2);
    for (let column = firstColumn; column < lastColumn; column++) {
      const name = columns[column] + 1;
      if (columns.length > 12 && column % 5 !== 4 && column !== 0) continue;
      if (left + column * COLUMN - x >= left - 2) context.fillText(name, left + column * COLUMN - x, HEAD / 2);
    }
    if (rows.length && columns.length) {
      context.strokeStyle = focus;
      context.lineWidth = 2;
      const top = HEAD + cursor.row * ROW - y;
      if (top >= HEAD - 1) {
        context.strokeRect(1, top, Math.min(width, left + columns.length * COLUMN - x) - 2, ROW - 1);
        const at = left + cursor.column * COLUMN - x;
        if (at >= left) context.strokeRect(at, top, COLUMN - 1, ROW - 1);
      }
    }
  }

  const repaint = () => { if (!wanted) { wanted = true; requestAnimationFrame(paint); } };

  function move(row, column, scroll = true) {
    cursor = {
      row: Math.max(0, Math.min(row, rows.length - 1)),
      column: Math.max(0, Math.min(column, columns.length - 1)),
    };
    if (scroll) {
      const top = cursor.row * ROW, at = cursor.column * COLUMN;
      const height = grid.clientHeight - HEAD, width = grid.clientWidth - side();
      if (top < grid.scrollTop) grid.scrollTop = top;
      else if (top + ROW > grid.scrollTop + height) grid.scrollTop = top + ROW - height;
      if (at < grid.scrollLeft) grid.scrollLeft = at;
      else if (at + COLUMN > grid.scrollLeft + width) grid.scrollLeft = at + COLUMN - width;
    }
    const goal = rows[cursor.row], test = columns[cursor.column];
    if (goal !== undefined) {
      const does = test === undefined ? "" : `${tests[test].name} ${reaches(test, goal) ? verb : not} `;
      byId("cell").textContent = `${does}${goals[goal].id}`;
      showGoal(goal);
    }
    repaint();
  }

  function showGoal(goal) {
    const { id, g, d, at, s, redundancy, ignored, diff } = goals[goal];
    const by = tests.map((_, test) => test).filter((test) => reaches(test, goal));
    const parts = [make("p", {}, make("strong", {}, id), " ", make("span", { class: `tag ${labels[s].word}` }, labels[s].label),
      redundancy ? ` ${redundancy}` : null, " ", ...prose(d))];
    if (diff) {
      parts.push(make("pre", { class: "diff" },
        make("span", { class: "minus" }, `- ${diff.before}`, make("del", {}, diff.old), diff.after), "\n",
        make("span", { class: "plus" }, `+ ${diff.before}`, make("ins", {}, diff.new), diff.after)));
    }
    const where = at ? make("a", { href: `#f${at[0]}-${at[1]}` }, `${files[at[0]]}, line ${at[1]}`) : "no place";
    parts.push(make("p", {}, where, ` · ${g.map((group) => groups[group]).join(", ")} · ${labels[s].hint}`));
    if (ignored) parts.push(make("p", {}, `ignored: ${ignored}`));
    if (by.length) {
      const links = by.slice(0, 50).flatMap((test) => [make("a", { href: `#t${test}`, class: "killer" }, tests[test].name), " "]);
      parts.push(make("p", {}, `${plural(by.length, "test")}: `, ...links, by.length > 50 ? "…" : ""));
    }
    byId("mutant").replaceChildren(...parts);
  }

  for (const id of ["find", "status", "group", "by", "sort", "order"]) byId(id).addEventListener("input", filter);
  grid.addEventListener("scroll", repaint, { passive: true });
  grid.addEventListener("click", (event) => {
    const box = grid.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top + grid.scrollTop - HEAD) / ROW);
    const column = Math.floor((event.clientX - box.left - side() + grid.scrollLeft) / COLUMN);
    if (row < rows.length) move(row, column < 0 || column >= columns.length ? cursor.column : column, false);
  });
  grid.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor((grid.clientHeight - HEAD) / ROW) - 1);
    const { row, column } = cursor;
    const keys = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      PageUp: [row - page, column], PageDown: [row + page, column], Home: [0, column], End: [rows.length - 1, column],
    };
    if (event.key in keys) move(...keys[event.key]);
    else if (event.key === "Enter" && columns.length) location.hash = `t${columns[cursor.column]}`;
    else return;
    event.preventDefault();
  });
  new ResizeObserver(layout).observe(grid);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);

  /* The subsumption graph: what comes along with the goal that is pointed at. */
  const graph = byId("graph");
  if (graph) {
    const edges = [...graph.querySelectorAll("path")], nodes = [...graph.querySelectorAll("a")];
    const light = (event) => {
      const lit = new Set(), left = [event.target.closest("a")?.dataset.goal];
      while (left.length) {
        const goal = left.pop();
        if (goal === undefined || lit.has(goal)) continue;
        lit.add(goal);
        for (const edge of edges) if (edge.dataset.from === goal) left.push(edge.dataset.to);
      }
      for (const edge of edges) edge.classList.toggle("lit", lit.has(edge.dataset.from));
      for (const node of nodes) node.classList.toggle("lit", lit.has(node.dataset.goal));
    };
    for (const kind of ["mouseover", "focusin"]) graph.addEventListener(kind, light);
    graph.addEventListener("mouseleave", light);
  }

  /* Links: #t3 is a test, #m17 a goal, #f0-12 a line. */
  function follow() {
    if (followTrace()) return;
    const [, number] = /^#m(\d+)$/.exec(location.hash) || [];
    if (goals[number]) {
      for (const id of ["find", "status", "group", "by"]) byId(id).value = "";
      filter();
      move(rows.indexOf(Number(number)), cursor.column);
      byId("matrix").scrollIntoView();
    } else if (location.hash.startsWith("#f")) {
      const line = byId(location.hash.slice(1));
      if (line) line.open = true;
    }
  }
  window.addEventListener("hashchange", follow);

  filter();
  if (goals.length) move(0, 0, false);
  if (shows.length) showFirst();
  else for (const id of ["trace", "matrix"]) byId(id).hidden = true;
  follow();
})();
