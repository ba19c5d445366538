# Runs programs one after another, each with its own names, and writes what became of each as JSON.
import contextlib, io, json, sys

results = []
for file in sys.argv[1:]:
    printed = io.StringIO()
    result = {}
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(open(file, encoding='utf-8').read(), file, 'exec'), {})
    except (Exception, SystemExit) as error:
        result['error'] = repr(error)
    results.append({'printed': [printed.getvalue()], **result})
print(json.dumps(results))
