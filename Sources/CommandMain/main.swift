import PriceTagVerbs

runCommand()
