-- Drives Neovim as a client of the server on the examples. Run by editors/neovim/check.
local root = vim.env.SPECWRIGHT_ROOT
package.path = root .. "/editors/neovim/?.lua;" .. package.path
local specwright = require("specwright")
local failures = 0

local function say(good, text)
  io.stdout:write((good and "ok      " or "FAILED  ") .. text .. "\n")
  failures = failures + (good and 0 or 1)
end

local function open(path)
  vim.cmd("edit " .. vim.fn.fnameescape(path))
  local buffer = vim.api.nvim_get_current_buf()
  specwright.attach(buffer, { cmd = { vim.env.SPECWRIGHT, "lsp" }, root_dir = root })
  return buffer
end

-- The place of a text, as the protocol counts: line and column from 0 on.
local function place(buffer, needle)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local at = line:find(needle, 1, true)
    if at then
      return { line = number - 1, character = vim.str_utfindex(line, at - 1) }
    end
  end
  error(needle .. " is not in the text")
end

local function ask(buffer, method, position)
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer), position = position }
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

-- Waits until the diagnostics of a buffer are as wanted.
local function diagnostics(buffer, wanted)
  vim.wait(60000, function()
    return wanted(#vim.diagnostic.get(buffer))
  end, 20)
  return vim.diagnostic.get(buffer)
end

local examples = {
  { "safety-injection/safety_injection.smv", "init(Overridden)", 5, "Overridden", "state variable", "Overridden : boolean" },
  { "safety-injection/safety_injection.scr", "event table Overridden", 12, "Overridden", "term", "Overridden : boolean" },
  { "safety-injection-asm/safety_injection.asm", "overridden :=", 0, "overridden", "controlled function", "overridden: Boolean" },
}

for _, example in ipairs(examples) do
  local name, use, offset, word, description, declaration = unpack(example)
  local buffer = open(root .. "/examples/" .. name)
  vim.wait(60000, function()
    return vim.lsp.get_client_by_id(specwright.client).initialized
  end, 20)
  ask(buffer, "textDocument/codeLens", nil)
  say(#vim.diagnostic.get(buffer) == 0, name .. ": no diagnostics")
  local position = place(buffer, use)
  position.character = position.character + offset
  local hover = ask(buffer, "textDocument/hover", position)
  local text = hover and hover.contents and hover.contents.value or ""
  say(text:find(description, 1, true) and text:find(word, 1, true), name .. ": hover on " .. word .. " says " .. description)
  local definition = ask(buffer, "textDocument/definition", position)
  local found = definition and definition[1]
  local expected = place(buffer, declaration)
  say(
    found and found.range.start.line == expected.line and found.range.start.character == expected.character,
    name .. ": " .. word .. " is declared on line " .. (expected.line + 1)
  )
  -- A line that means nothing in any of the languages.
  vim.api.nvim_buf_set_lines(buffer, expected.line, expected.line, false, { "ü ( ] §" })
  local wrong = diagnostics(buffer, function(n)
    return n > 0
  end)
  local first = wrong[1]
  say(first and first.lnum == expected.line, name .. ": a mistake on line " .. (expected.line + 1) .. " is shown there")
  vim.api.nvim_buf_set_lines(buffer, expected.line, expected.line + 1, false, {})
  local none = diagnostics(buffer, function(n)
    return n == 0
  end)
  say(#none == 0, name .. ": and is gone when it is mended")
end

vim.lsp.stop_client(specwright.client)
local gone = vim.wait(20000, function()
  return vim.lsp.client_is_stopped(specwright.client)
end, 20)
say(gone, "the server ends")
vim.cmd(failures == 0 and "qall!" or "cquit!")
