import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Matches the texts of FOLDER/texts.tsv with the regular expressions of FOLDER/prices.json: java Check.java FOLDER */
class Check {
  /** The strings between quotation marks of a line of JSON, without their escapes. */
  static List<String> strings(String json) {
    List<String> strings = new ArrayList<>();
    StringBuilder text = null;
    for (int index = 0; index < json.length(); index++) {
      char character = json.charAt(index);
      if (text == null) {
        if (character == '"') text = new StringBuilder();
      } else if (character == '"') {
        strings.add(text.toString());
        text = null;
      } else if (character == '\\') {
        character = json.charAt(++index);
        if (character == 'u') {
          text.append((char) Integer.parseInt(json.substring(index + 1, index + 5), 16));
          index += 4;
        } else {
          text.append("bfnrt".indexOf(character) < 0 ? character : "\b\f\n\r\t".charAt("bfnrt".indexOf(character)));
        }
      } else {
        text.append(character);
      }
    }
    return strings;
  }

  static String unescaped(String text) {
    if (text.indexOf('\\') < 0) return text;
    StringBuilder result = new StringBuilder();
    for (int index = 0; index < text.length(); index++) {
      char character = text.charAt(index);
      if (character == '\\') {
        character = text.charAt(++index);
        if (character != '\\') character = "\n\r\t".charAt("nrt".indexOf(character));
      }
      result.append(character);
    }
    return result.toString();
  }

  static int failures = 0;

  static void fail(String problem) {
    if (++failures <= 20) System.out.println(problem);
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Map<String, Pattern[]> expressions = new HashMap<>();
    for (String line : Files.readAllLines(folder.resolve("prices.json"))) {
      // A storefront is a line: "DEU": {"currency": "EUR", "locale": "de-DE", "strict": "…", "lenient": "…", "groups": […]}
      if (!line.contains("\"strict\": ")) continue;
      List<String> strings = strings(line);
      int strict = strings.indexOf("strict"), lenient = strings.indexOf("lenient"), groups = strings.indexOf("groups");
      Pattern[] pair = {Pattern.compile(strings.get(strict + 1)), Pattern.compile(strings.get(lenient + 1))};
      expressions.put(strings.get(0), pair);
      for (Pattern pattern : pair) if (pattern.matcher("").groupCount() != strings.size() - groups - 1) fail(line);
    }
    long texts = 0;
    try (BufferedReader reader = Files.newBufferedReader(folder.resolve("texts.tsv"))) {
      for (String line; (line = reader.readLine()) != null; texts++) {
        String[] fields = line.split("\t", -1);
        String text = unescaped(fields[3]);
        for (int mode = 0; mode < 2; mode++) {
          boolean expected = fields[1 + mode].equals("1");
          if (expressions.get(fields[0])[mode].matcher(text).matches() != expected) fail("mode " + mode + " of " + line);
        }
      }
    }
    double slowest = 0;
    // Processor time, because other programs run too, and the best of three, because Java compiles some runs.
    ThreadMXBean thread = ManagementFactory.getThreadMXBean();
    List<String> hostile = strings(Files.readString(folder.resolve("hostile.json")));
    for (Pattern[] pair : expressions.values()) {
      for (Pattern pattern : pair) {
        for (String text : hostile) {
          long best = Long.MAX_VALUE;
          for (int run = 0; run < 3; run++) {
            long start = thread.getCurrentThreadCpuTime();
            if (pattern.matcher(text).matches()) fail("a hostile text of " + pattern);
            best = Math.min(best, thread.getCurrentThreadCpuTime() - start);
          }
          slowest = Math.max(slowest, best / 1e6);
        }
      }
    }
    System.out.printf(
        "Java %s: %d storefronts, %d texts, %d failures; slowest hostile text %.2f ms%n",
        System.getProperty("java.version"), expressions.size(), texts, failures, slowest);
    if (failures > 0 || slowest > 10 || expressions.isEmpty()) System.exit(1);
  }
}
