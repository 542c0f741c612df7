-- Starts Specwright's language server for specifications. Works with Neovim 0.7 and later.
-- Put this file into the folder lua of your configuration, and require("specwright").setup() into init.lua.
local M = {}

M.languages = { smv = "smv", scr = "scr", asm = "asmetal" }

-- Starts a server for a buffer, or attaches the one that runs already. Returns the client's number.
function M.attach(buffer, options)
  options = options or {}
  if not M.client or not vim.lsp.get_client_by_id(M.client) then
    M.client = vim.lsp.start_client({
      name = "specwright",
      cmd = options.cmd or { "specwright", "lsp" },
      root_dir = options.root_dir or vim.fn.getcwd(),
      init_options = options.settings or {},
      get_language_id = function(_, filetype)
        return filetype
      end,
    })
  end
  vim.lsp.buf_attach_client(buffer, M.client)
  return M.client
end

function M.setup(options)
  for extension, filetype in pairs(M.languages) do
    vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
      pattern = "*." .. extension,
      callback = function(event)
        vim.bo[event.buf].filetype = filetype
        M.attach(event.buf, options)
      end,
    })
  end
end

return M
