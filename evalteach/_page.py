"""The frame of every page that the library writes: it needs nothing but itself, and asks nobody."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline';
  base-uri 'none'; form-action 'none'">
<title>{title}</title>
<style>
body {{ margin: 0 auto; max-width: 46rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a;
  background: #fff; overflow-wrap: anywhere; }}
h1, h2, h3 {{ line-height: 1.2; margin: 1.6em 0 .5em; }}
img {{ max-width: 100%; height: auto; }}
pre {{ white-space: pre-wrap; }}
.table {{ overflow-x: auto; margin: 0 0 1rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }}
th, td {{ padding: .25rem .6rem; border-bottom: 1px solid #bbb; text-align: left; }}
footer {{ margin-top: 3rem; color: #555; font-size: .875rem; }}
@media (max-width: 32rem) {{ table {{ font-size: .8rem; }} th, td {{ padding: .2rem; }}
  ul {{ padding-left: 1.2rem; }} }}
@media print {{ body {{ max-width: none; padding: 0; font-size: 10pt; }}
  h1, h2, h3 {{ break-after: avoid; }} img, tr {{ break-inside: avoid; }} .table {{ overflow: visible; }} }}
</style>
</head>
<body>
<main>
{body}
</main>
<footer>{footer}</footer>
</body>
</html>
"""
