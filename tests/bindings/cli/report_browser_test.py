"""vtemper report in a browser: what a reader clicks, types and sees, at three widths, light and dark. Skipped where
there is no Chromium. Pictures go to the folder that VTEMPER_PICTURES names, where it does."""

import os
import random
import shutil
import subprocess
import sys
import tempfile

command = os.environ.get("VTEMPER")
browser, driver_path = shutil.which("chromium"), shutil.which("chromedriver")
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None
if not command or not browser or not driver_path or not webdriver:
    print("skipped: the command, chromium, chromedriver or python3-selenium is missing")
    sys.exit(77)

TOPICS = 24
PICTURES = os.environ.get("VTEMPER_PICTURES")


def run(*arguments):
    subprocess.run([command, *arguments, "--quiet"], check=True, capture_output=True, text=True)


def write_text(path):
    """Documents of TOPICS subjects, whose shares change over two years. A word of a subject is like c07unit3."""
    random.seed(8)
    letters = "abcdefghijklmnopqrstuvwxyz"
    with open(path, "w", encoding="utf-8") as out:
        out.write("id,date,text\n")
        for i in range(600):
            main, second = int(TOPICS * random.random() ** 1.5), random.randrange(TOPICS)
            words = []
            for _ in range(40):
                subject = main if random.random() < 0.7 else second
                words.append(f"{letters[subject] * 3}{letters[int(26 * random.random() ** 2)] * 4}")
            out.write(f"note {i},{2023 + i // 300}-{1 + i // 25 % 12:02d}-05,{' '.join(words)}\n")


class Browser:
    def __init__(self, width, dark=False):
        options = Options()
        options.binary_location = browser
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(driver_path), options=options)
        self.width, self.dark = width, dark
        self.resize(width)

    def resize(self, width, height=900):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}]
        still = [{"name": "prefers-reduced-motion", "value": "reduce"}]  # clicks must not fall on a scrolling page
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme + still})

    def open(self, path):
        self.driver.get(f"file://{path}")

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def heading(self):
        return self.find("#detail h3").text

    def click(self, element):
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def picture(self, name):
        if not PICTURES:
            return
        height = self.script("return document.documentElement.scrollHeight")
        self.resize(self.width, min(height, 6000))
        self.driver.save_screenshot(f"{PICTURES}/{name}-{self.width}{'-dark' if self.dark else ''}.png")
        self.resize(self.width)

    def check_quiet(self, path):
        """No complaint of the page, and nothing but the file itself was asked for."""
        assert not self.driver.get_log("browser")
        asked = [entry["message"] for entry in self.driver.get_log("performance") if "requestWillBeSent\"" in entry["message"]]
        assert asked and all(os.path.basename(path) in message for message in asked), asked


def labels_apart(page, place="#map"):
    """Labels of a picture cover neither each other nor its edge; returns their number."""
    boxes = page.script("""const svg = document.querySelector(arguments[0] + ' svg').getBoundingClientRect();
        return [...document.querySelectorAll(arguments[0] + ' svg text.name')].map((label) => {
          const box = label.getBoundingClientRect();
          return [box.left - svg.left, box.top - svg.top, box.right - svg.left, box.bottom - svg.top, svg.width, svg.height];
        })""", place)
    for i, a in enumerate(boxes):
        assert a[0] >= -1 and a[1] >= -1 and a[2] <= a[4] + 1 and a[3] <= a[5] + 1, f"a label leaves {place}: {a}"
        for b in boxes[:i]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], f"two labels of {place} overlap: {a}, {b}"
    return len(boxes)


def check_names(page):
    """Every control has a name, and ids are distinct."""
    nameless = page.script("""return [...document.querySelectorAll('button, input, select, a, [role=button], [role=img], canvas, svg')]
        .filter((e) => !e.closest('[aria-hidden=true]') && !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels && e.labels.length))
        .map((e) => e.outerHTML.slice(0, 100))""")
    assert not nameless, nameless
    assert page.script("const ids = [...document.querySelectorAll('[id]')].map((e) => e.id); return ids.length === new Set(ids).size")
    assert page.script("return document.documentElement.lang") == "en"


def check_fits(page):
    wide = page.script("return document.documentElement.scrollWidth")
    assert wide <= page.width, f"the page is {wide} wide in a window of {page.width}"
    outside = page.script("""return [...document.querySelectorAll('section svg, section canvas')]
        .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll')).length""")
    assert outside == 0, f"{outside} pictures leave the window"
    cut = page.script("""return [...document.querySelectorAll('section svg text')].filter((e) => {
        const own = e.getBoundingClientRect(), box = e.ownerSVGElement.getBoundingClientRect();
        return own.width > 0 && (own.left < box.left - 1 || own.right > box.right + 1);
      }).map((e) => e.textContent)""")
    beyond = page.script("""return [...document.querySelectorAll('section svg rect')].filter((e) =>
        e.getBoundingClientRect().right > e.ownerSVGElement.getBoundingClientRect().right + 1).length""")
    assert beyond == 0, f"{beyond} bars leave their pictures"
    assert not cut, f"texts are cut off at the edges of their pictures: {cut}"


def check_topics(page, path):
    page.open(path)
    rows = lambda: [e.text for e in page.all("#topics tbody tr td:first-child")]
    assert len(rows()) == TOPICS
    first = page.heading()
    # A click on a table head sorts, and another one reverses the order.
    head = page.find("#topics thead th button")
    page.click(head)
    assert [int(r) for r in rows()] == sorted(range(TOPICS), reverse=True)
    page.click(head)
    assert [int(r) for r in rows()] == list(range(TOPICS))
    assert page.find("#topics thead th").get_attribute("aria-sort") == "ascending"
    # A topic, the slider of relevance, a word, its topics, and back.
    page.click(page.all("#topics tbody button.link")[3])
    assert page.heading().startswith("Topic 3:") and page.heading() != first
    words = lambda: [e.text for e in page.all("#detail ol.bars button")]
    likeliest = words()
    slider = page.find("#relevance")
    for _ in range(12):
        slider.send_keys(Keys.ARROW_LEFT)
    assert page.find("#detail output").text == "0.00" and words() != likeliest and len(words()) == 10
    word = words()[0]
    page.click(page.all("#detail ol.bars button")[0])
    assert page.heading() == f"Word: {word}"
    assert any(e.text.startswith("3 ·") for e in page.all("#detail ul.bars button"))
    page.driver.back()
    WebDriverWait(page.driver, 5).until(lambda _: page.heading().startswith("Topic 3:"))
    # A document with its topics and its text.
    page.click(page.all("#detail ul.bars button")[0])
    assert page.heading().startswith("Document: note ") and page.find("#detail .text mark").text
    assert page.all("#detail ul.bars button")[0].text.startswith("3 ·")
    labels = labels_apart(page)
    assert labels >= TOPICS / 2, f"{labels} labels on the map"
    # Bubbles and bars can be operated by keys.
    bubble = page.all("#map [role=button]")[5]
    name = bubble.get_attribute("aria-label")
    page.script("arguments[0].focus()", bubble)
    bubble.send_keys(Keys.ENTER)
    assert page.heading().split()[1].rstrip(":") == name.split()[1]
    assert page.script("return document.activeElement === document.querySelector('#detail h3')"), "the focus is not on what was chosen"
    # The timeline shows the chosen topic; the ties follow their slider.
    assert page.find("#time svg").get_attribute("aria-label").startswith(f"Share of topic {name.split()[1]} ")
    ties = len(page.all("#map .tie"))
    for _ in range(10):
        page.find("#ties").send_keys(Keys.ARROW_LEFT)
    assert len(page.all("#map .tie")) > ties
    assert "share of the words" in page.find("#sizes svg").text and "%" in page.find("#sizes svg").text
    assert page.find("#course svg").get_attribute("aria-label")
    # Documents that contain a word.
    page.find("#document-filter").send_keys("note 17")
    assert all("note 17" in e.text for e in page.all("#documents tbody tr")) and page.all("#documents tbody tr")


def check_search(page, path):
    page.open(path)
    field = page.find("#query")
    field.send_keys("note 123")
    assert field.get_attribute("aria-expanded") == "true"
    assert page.all("#found li")[0].text.startswith("note 123")
    field.send_keys(Keys.ARROW_DOWN)
    assert field.get_attribute("aria-activedescendant") == "found-0"
    field.send_keys(Keys.ENTER)
    assert page.heading() == "Document: note 123" and not page.find("#found").is_displayed()
    field.clear()
    field.send_keys("aaabb")
    page.click(page.all("#found li")[0])
    assert page.heading() == "Word: aaabbbb"
    field.clear()
    field.send_keys("qqqqqqqqqqqqqqq")
    assert page.find("#found").text == "nothing found"
    field.send_keys(Keys.ESCAPE)
    assert not page.find("#found").is_displayed()
    page.driver.get(f"file://{path}#topic=2")  # an address opens what it names
    page.driver.refresh()
    assert page.heading().startswith("Topic 2:")


def check_kinds(page, folder):
    random.seed(6)
    dense, sequences = f"{folder}/dense.csv", f"{folder}/sequences"
    with open(dense, "w") as out:
        for i in range(200):
            out.write(",".join(str(int(random.random() < (0.9 if (j < 8) == (i % 2) else 0.1))) for j in range(16)) + "\n")
    with open(sequences, "w") as out:
        for row in range(30):  # the first is longer than pictures are wide
            out.write(" ".join(str(random.randrange(3) + 3 * (i // 10 % 2)) for i in range(40 if row else 2000)) + "\n")
    kinds = {"gaussian_mixture": (["--components", "3"], dense, [], "#part-2 polygon", 3),
             "bernoulli_mixture": (["--components", "3"], dense, ["--image", "4x4"], "#part-1 canvas", 3),
             "hidden_markov": (["--states", "2"], sequences, ["--format", "sequences"], "#part-1 td.heat", 4),
             "variational_autoencoder": (["--latent", "3", "--hidden", "6", "--max-passes", "2"], dense, ["--image", "4x4"], "canvas", 54)}
    for kind, (options, data, more, selector, count) in kinds.items():
        run("fit", data, "-o", f"{folder}/{kind}.model", "--model", kind, *options, *[word for word in more if "image" not in word and word != "4x4"])
        path = f"{folder}/{kind}.html"
        run("report", f"{folder}/{kind}.model", "-o", path, "--data", data, *more)
        page.open(path)
        assert len(page.all(selector)) == count, (kind, len(page.all(selector)))
        check_names(page)
        check_fits(page)
        page.picture(kind)
        page.check_quiet(path)
        if kind == "gaussian_mixture":
            shape = page.find("#part-2 polygon").get_attribute("points")
            page.script("const s = document.getElementById('ellipses-x'); s.value = 5; s.dispatchEvent(new Event('change'))")
            assert page.find("#part-2 polygon").get_attribute("points") != shape
            assert len(page.all("#part-2 circle.row")) == 200 and page.find("#part-2 circle.row title")
            inside = page.script("""const box = document.querySelector('#part-2 svg').getBoundingClientRect();
                return [...document.querySelectorAll('#part-2 circle.row')].every((dot) => {
                  const own = dot.getBoundingClientRect();
                  return own.left >= box.left && own.right <= box.right && own.top >= box.top && own.bottom <= box.bottom;
                })""")
            assert inside, "rows lie outside the picture"
            labels_apart(page, "#part-2")
        if kind == "variational_autoencoder":
            levels = page.script("""return [...new Set(document.querySelectorAll('#part-1 canvas')[1].getContext('2d')
                .getImageData(0, 0, 4, 4).data)].length""")
            assert levels > 4, "the picture of a reconstruction is blank"
            names = [e.get_attribute("aria-label") for e in page.all("#part-1 figure:first-child canvas")]
            assert names == ["row 0, the row itself", "row 0, reconstructed"], names
            tops = page.script("return [...document.querySelectorAll('#part-1 figure:first-child canvas')].map((e) => e.getBoundingClientRect().top)")
            assert tops[0] == tops[1], "a row is not beside its reconstruction"


def check(folder):
    path = f"{folder}/notes.html"
    write_text(f"{folder}/notes.csv")
    run("report", f"{folder}/notes.csv", "--text", "--column", "text", "--id-column", "id", "--date-column", "date",
        "--language", "none", "--topics", str(TOPICS), "--max-passes", "15", "-o", path)
    assert os.path.getsize(path) < 2e6
    for width, dark in ((1280, False), (768, False), (390, True)):
        page = Browser(width, dark)
        try:
            page.open(path)
            check_fits(page)
            check_names(page)
            assert labels_apart(page) >= 6
            colours = page.script("const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]")
            brightness = [sum(int(c) for c in colour[4:-1].split(",")) for colour in colours]
            assert abs(brightness[0] - brightness[1]) > 500 and (brightness[0] > brightness[1]) == dark, colours
            page.picture("topics")
            if width == 1280:
                check_topics(page, path)
                page.resize(600)  # pictures follow the window
                page.width = 600
                WebDriverWait(page.driver, 5).until(lambda _: float(page.find("#map svg").get_attribute("width")) < 600)
                check_fits(page)
                labels_apart(page)
                page.width = 1280
                page.resize(1280)
            if width != 768:
                check_search(page, path)
            page.check_quiet(path)
            if width == 768:
                check_kinds(page, folder)
        finally:
            page.driver.quit()


with tempfile.TemporaryDirectory() as temporary:
    check(temporary)
print("all is well")
