# Matches the texts of FOLDER/texts.tsv with the regular expressions of FOLDER/prices.json: check.rb FOLDER
#
# In Ruby, ^ and $ match at each line, so \A and \z enclose an expression.
require "json"

folder = ARGV[0]
entries = JSON.parse(File.read("#{folder}/prices.json", encoding: "UTF-8"))["storefronts"]
expressions = entries.transform_values { |entry| %w[strict lenient].map { |mode| /\A(?:#{entry[mode]})\z/ } }
unescape = { "\\n" => "\n", "\\r" => "\r", "\\t" => "\t", "\\\\" => "\\" }
texts = failures = 0
File.foreach("#{folder}/texts.tsv", "\n", encoding: "UTF-8") do |line|
  id, strict, lenient, text = line.delete_suffix("\n").split("\t", -1)
  text = text.gsub(/\\./) { |escape| unescape[escape] }
  texts += 1
  [strict, lenient].each_with_index do |expected, mode|
    next if expressions[id][mode].match?(text) == (expected == "1")

    failures += 1
    puts "#{id} #{%w[strict lenient][mode]} expected #{expected}: #{text.dump}" if failures <= 20
  end
end
hostile = JSON.parse(File.read("#{folder}/hostile.json", encoding: "UTF-8"))
slowest = 0
expressions.each do |id, pair|
  pair.each do |pattern|
    # One more alternative that matches nothing gives the number of groups.
    failures += 1 if Regexp.new("#{pattern.source}|").match("").size != entries[id]["groups"].size + 1
    hostile.each do |text|
      # Processor time and the best of three, because other programs run too.
      best = (1..3).map do
        start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        failures += 1 if pattern.match?(text)
        Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
      end.min
      slowest = [slowest, best].max
    end
  end
end
puts format("Ruby %s: %d texts, %d failures; slowest hostile text %.2f ms", RUBY_VERSION, texts, failures, slowest * 1000)
exit failures.zero? && slowest <= 0.01
