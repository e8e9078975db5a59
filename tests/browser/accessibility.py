"""What axe-core finds on a page that keeps somebody from reading or using it, in light colors and in dark ones."""

from axe_playwright_python.sync_playwright import Axe

GRAVE = ("serious", "critical")


def barriers(page, context=None, rules=None):
    """Serious and critical violations, one a line: the rule, and the element."""
    options = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    found = Axe().run(page, context, options).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): {node['target']} {node['html'][:150]}"
        for each in found
        if each["impact"] in GRAVE
        for node in each["nodes"]
    ]
