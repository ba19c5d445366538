-- What wrk sends, and how it reports. Arguments: the method, and one of
--   ids FIRST    cancels orders FIRST, FIRST + 1, …
--   body TEXT    sends this body
--   addresses N  sends requests from N addresses in turn, as a trusted proxy reports them
function init(args)
  wrk.method = args[1]
  if args[2] == 'ids' then
    local id = tonumber(args[3])
    request = function()
      id = id + 1
      return wrk.format(nil, '/v1/store/orders/' .. string.format('%d', id - 1))
    end
  elseif args[2] == 'body' then
    wrk.body = args[3]
  elseif args[2] == 'addresses' then
    local requests, next = {}, 0
    for n = 1, tonumber(args[3]) do
      wrk.headers['X-Forwarded-For'] = string.format('10.%d.%d.%d', n / 65536, n / 256 % 256, n % 256)
      requests[n] = wrk.format()
    end
    request = function()
      next = next % #requests + 1
      return requests[next]
    end
  end
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
